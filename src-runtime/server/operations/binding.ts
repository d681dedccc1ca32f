/** The type of an operation's binding: a function of the call that returns the response without the common fields. */

import type { z } from 'zod';
import type { OperationDefinition, Response } from '../../api/operations/define-operation.js';
import type { Operations } from '../../api/operations/index.js';
import type { MaybePromise } from '../../base/ports.js';
import type { StreamFeed } from '../http/event-stream.js';
import type { Call, RequestCall } from './call.js';

export type Bindings = { readonly [Name in keyof Operations]: Binding<Operations[Name]> };

export type Binding<O extends OperationDefinition> = O['response']['kind'] extends 'pageOrStream'
  ? {
      readonly page: (call: Call<O>) => MaybePromise<Value<O['response']>>;
      /** Follows from after a `seq`, or from now on. */
      readonly stream: (call: Call<O>, afterSeq: number | undefined) => MaybePromise<StreamFeed<RowOf<O['response']>>>;
    }
  : O['response']['kind'] extends 'lines'
    ? (call: Call<O>) => AsyncGenerator<string, void, undefined>
    : (call: Call<O>) => MaybePromise<Value<O['response']>>;

/** The result alone, or with the fields beside it. */
type Value<R> =
  R extends Response<infer Result, infer Beside>
    ? Beside extends z.ZodRawShape
      ? ReadonlyLists<{ result: z.output<Result> } & z.output<z.ZodObject<Beside>>>
      : z.output<Result>
    : never;

/** The world returns readonly lists, but Zod's types have mutable ones. */
type ReadonlyLists<T> = { readonly [Key in keyof T]: T[Key] extends (infer Row)[] ? readonly Row[] : T[Key] };

type RowOf<R> = R extends Response<z.ZodArray<infer Row extends z.ZodType>, unknown> ? z.output<Row> & Numbered : never;

interface Numbered {
  readonly seq: number;
}

/** A binding as the routes call it. */
export type AnyBinding =
  | ((call: RequestCall) => MaybePromise<unknown>)
  | {
      readonly page: (call: RequestCall) => MaybePromise<unknown>;
      readonly stream: (call: RequestCall, afterSeq: number | undefined) => MaybePromise<StreamFeed<Numbered>>;
    };
