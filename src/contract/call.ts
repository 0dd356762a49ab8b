import type { z } from 'zod'
import type { Text } from '#src/domain/text.ts'

/**
 * All that a schema is to a type: what goes in, what comes out. Far cheaper for the checker than
 * `z.ZodType<…>`.
 */
export type Schema<S = any, P = any> = { _zod: { input: S; output: P } }

/** What places rows of a call: the kind of row, and the input's fields that name such rows. */
export type Placed = {
  /** The kind of row that is answered or changed; the server knows what places it (kinds.ts). */
  rows: string
  /**
   * Fields of the input that hold ids, each with the kind of its row: `{ id: 'order' }`,
   * `{ 'tasks.id': 'audit_task' }`. A row outside the caller's scope is answered by 404 before the
   * handler runs; a batch tells of it among the rows that failed.
   */
  by: Readonly<Record<string, string>>
}
/**
 * Whose rows a call reads or changes: `placed(…)`, only those within the caller's data scope; `all`,
 * shared by everybody (configuration, dictionaries, the directory of colleagues); `own`, those of
 * the signed-in person; `none`, no rows at all, and why.
 */
export type CallScope = 'all' | 'own' | { none: string } | Placed
/**
 * Rows that stand in a city, in a mall or with a person. `by` is the field that names the row, or
 * each such field with the kind of its row.
 */
export const placed = (rows: string, by: string | Placed['by'] = {}): Placed => ({
  rows,
  by: typeof by === 'string' ? { [by]: rows } : by,
})

/**
 * Guarded fields that rows are found by, for each kind of number that may stand in a text: a whole
 * phone, the end of one, a whole code; `whole`: the text is one such number and nothing else.
 */
export type Finds = Readonly<
  Partial<Record<'phone' | 'phone_last4' | 'code' | 'whole', readonly string[]>>
>

type Base = {
  /** Below `/api/manageback/`; with a leading slash, below the origin. */
  path: string
  method: 'GET' | 'POST'
  title: Text
  /** Entities read or changed: a change refetches every open read that touches one of them. */
  touches: readonly string[]
  /** A permission key (`module.page.verb`), `signed-in` (any session) or `public`. */
  permit: string
  scope: CallScope
  /**
   * Fields of the input by whose text rows are found by guarded fields. To who may not see such a
   * field one whole number at a time finds a row, and it is counted (server/call/finds.ts).
   */
  finds?: Readonly<Record<string, Finds>>
  /**
   * A read's, and no write's, stands in the built browser too: a list reads its filters from
   * the address by it.
   */
  input: z.ZodType
  /**
   * Only the server checks what is answered: the build leaves it out of what the browser gets
   * (vite.config.ts).
   */
  output: z.ZodType
  /** A read whose `keyword` is also the pinyin of a name. */
  latin?: boolean
  /** Says of an input whether its failure is told on the browser's console alone. */
  onConsole?(input: unknown): boolean
  /** A read that is asked again by itself: nobody waits for it, so no toast tells that it failed. */
  unattended?: boolean
  /** How long a caller waits for its answer, where that may take longer than others'. */
  patience_ms?: number
  /** A write that is no act of business (a heartbeat): neither logged nor replayed by key. */
  quiet?: boolean
  /**
   * It asks for the password again: each try is counted before it is made, as a sign-in's is, and
   * given back when the password was right.
   */
  tries?: boolean
  /**
   * Each statement of its handler commits by itself, even when it refuses: a sign-in counts wrong
   * tries, and hashes a password outside any transaction. Quiet calls only.
   */
  apart?: boolean
  /** What takes it back: kept by the server with the change itself, for whoever did it. */
  undo?: Inverse
  /**
   * The most bytes that its input may have, for one that takes a file; 1 MB unless said otherwise.
   */
  body_max?: number
}
/**
 * The write that takes another one back within `seconds`, fed with what that one answered and was
 * sent; undefined where there is nothing to take back.
 */
export type Inverse<R = any, P = any> = {
  call: () => Write
  input: (done: R, sent: P) => object | undefined
  seconds: number
}
declare const types: unique symbol
/**
 * A call that changes nothing. S is what the caller sends, P what the handler gets after parsing, R
 * what comes back.
 */
export type Read<S = any, P = any, R = any> = Base & { kind: 'read'; [types]: [S, P, R] }
/** A call that changes something: one transaction, logged, idempotent by key. */
export type Write<S = any, P = any, R = any> = Base & { kind: 'write'; [types]: [S, P, R] }
export type Call<S = any, P = any, R = any> = Read<S, P, R> | Write<S, P, R>
export type Calls = Readonly<Record<string, Call>>
export type Result<C> = C extends Call<any, any, infer R> ? R : never
export type Sent<C> = C extends Call<infer S, any, any> ? S : never

type Of<I, O> = {
  input: I
  output: O
  touches: readonly string[]
  permit: string
  scope: CallScope
  method?: 'GET' | 'POST'
  finds?: Readonly<Record<string, Finds>>
}
export type ReadOf<I, O> = Of<I, O> &
  Pick<Base, 'latin' | 'onConsole' | 'unattended' | 'patience_ms'>
export type WriteOf<I, O> = Of<I, O> & {
  quiet?: boolean
  apart?: boolean
  tries?: boolean
  body_max?: number
}

/** Declares a call that reads. GET unless said otherwise. */
export const read = <S, P, R>(
  path: string,
  title: Text,
  of: ReadOf<Schema<S, P>, Schema<any, R>>,
): Read<S, P, R> =>
  ({ kind: 'read', method: 'GET', path, title, ...of }) as unknown as Read<S, P, R>

/** Declares a call that writes. POST unless said otherwise. */
export const write = <S, P, R>(
  path: string,
  title: Text,
  of: WriteOf<Schema<S, P>, Schema<any, R>> & { undo?: Inverse<NoInfer<R>, NoInfer<P>> },
): Write<S, P, R> =>
  ({ kind: 'write', method: 'POST', path, title, ...of }) as unknown as Write<S, P, R>

/** The address of a call below the origin. */
export const urlOf = (call: Call): string =>
  call.path.startsWith('/') ? call.path : `/api/manageback/${call.path}`
