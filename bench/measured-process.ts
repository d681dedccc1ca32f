/** Processes that report the CPU time and memory that they used. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process reports its CPU time on request, and at its end with its memory on stderr. */
export const REPORT = `data:text/javascript,const used=()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();return{cpuMs:(u+s)/1000,mebibytes:m/1024}};process.on('message',()=>process.send(used()));process.on('exit',()=>process.stderr.write('\\n'+JSON.stringify(used())+'\\n'))`;

export interface Used {
  readonly cpuMs: number;
  readonly mebibytes: number;
}

export async function firstLine(child: ChildProcess): Promise<{ readonly url: string }> {
  if (child.stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as { url: string };
  throw new Error('The server did not start.');
}

/** Throws what the process wrote to stderr, unless it ends with this code. */
export async function usedBy(child: ChildProcess, expectedCode = 0): Promise<Used> {
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = await once(child, 'close');
  if (code !== expectedCode) throw new Error(errors);
  return JSON.parse(errors.trim().split('\n').at(-1) ?? '') as Used;
}
