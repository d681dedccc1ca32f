/** Reads `text/event-stream`: text as it arrives to messages. */

export interface EventMessage {
  /** `message` unless it says otherwise. */
  readonly event: string;
  /** Empty for a message that only sets the id. */
  readonly data: string;
  /** The last id that has come, with this message or before it. */
  readonly lastEventId: string;
}

/** Takes pieces of text, cut anywhere, and gives the messages that each completes. What the end cuts off is no message. */
export function createMessageReader(): (text: string) => EventMessage[] {
  let rest = '';
  let lastEventId = '';
  let event = '';
  let data: string[] = [];
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const messages: EventMessage[] = [];
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (line === '') {
        messages.push({ event: event || 'message', data: data.join('\n'), lastEventId });
        event = '';
        data = [];
      } else if (name === 'id') lastEventId = value;
      else if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
    }
    return messages;
  };
}
