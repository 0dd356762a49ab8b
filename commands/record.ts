import type { Call, Schema } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import {
  action,
  ask,
  type ActionOf,
  type Ask,
  type Asked,
  type Asks,
  type Page,
} from './command.ts'

/** The actions that most records have, under the words and keys that they have everywhere. */
type One = { id: number; version: number }
/** What a change is sent besides the row that it is of. */
type Fields<S> = S extends unknown ? Omit<S, keyof One> : never
type Switched = One & { status: 'on' | 'off' }
type More<Row, S, A extends Asks> = Partial<Omit<ActionOf<Row, S, A>, 'title' | 'en' | 'at' | 'on'>>
/** The row that an action is about, as it was read. */
export const one = (rows: readonly One[]): One => ({ id: rows[0]!.id, version: rows[0]!.version })
export const idOf = (rows: readonly { id: number }[]) => ({ id: rows[0]!.id })
export const idsOf = (rows: readonly { id: number }[]) => ({ ids: rows.map(row => row.id) })
export const reason = ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 })

/** The input of a change: the row as it was read, and what `input` makes of the answers. */
export const asking =
  <A, I extends object>(input: (asked: A) => I) =>
  (rows: readonly One[], asked: A): One & I => ({ ...one(rows), ...input(asked) })
/** What a question begins with of a row's field: no row has the id 0, one picture is a list of one. */
const begun = (kind: Ask['kind'], value: unknown): unknown => {
  if (kind === 'entity') return value || undefined
  if (kind === 'images' && !Array.isArray(value)) return value ? [value] : undefined
  return value ?? undefined
}
/** Questions that begin with what stands in the row's field of their name, unless they say otherwise. */
export const ofRow = <A extends Asks>(asks: A): A =>
  Object.fromEntries(
    Object.entries<Ask>(asks).map(([key, of]) => [
      key,
      {
        initial: (rows: readonly Readonly<Record<string, unknown>>[]) =>
          begun(of.kind, rows[0]?.[key]),
        ...of,
      },
    ]),
  ) as A
/** The form that makes and changes a record: its questions, and the input that comes of the answers. */
export const formOf = <A extends Asks, I extends object>(
  asks: A,
  input: (asked: Asked<A>) => I,
): Form<A, I> => ({ asks: ofRow(asks), input })
type Form<A extends Asks, I extends object> = { asks: A; input: (asked: Asked<A>) => I }

/** An action of a page that takes no row. */
export const pageAction = <S = unknown, R = unknown, const A extends Asks = {}>(
  does: Call<S, unknown, R> | string,
  [title, en]: Text,
  at: Page,
  more: More<unknown, S, A> = {},
) => action<S, R, unknown, A>(does, { title, en, at, ...more })
/** Makes a record by its form. */
export const createAction = <A extends Asks, I extends object>(
  call: Call<I, unknown, unknown>,
  title: Text,
  at: Page,
  { asks, input }: Form<A, I>,
) => pageAction(call, title, at, { key: 'c', main: true, asks, input: (_, asked) => input(asked) })
/** The page starts it with the filters as they stand (`useExport`, kit/exporting.ts). */
export const exportAction = (call: Call, title: Text, at: Page) =>
  pageAction(call, title, at, { key: 'shift+e' })

/** What a page gives to be arranged: its entries in their order, and the order's version. */
export type Arranged = {
  list_version: number
  entries: readonly { id: number; text: string }[]
}
/** Arranges what its page gives it (`Arranged`); `place` is what the call is sent of it besides. */
export const arrangeAction = <G extends Arranged, P extends object>(
  call: Call<P & { order: number[]; list_version: number }, unknown, unknown>,
  title: Text,
  at: Page,
  place: (on: G) => P,
) =>
  pageAction(call, title, at, {
    key: 's',
    asks: {
      order: ask.order({
        label: ['从先到后（Alt+↑ Alt+↓ 移动）', 'First to last (Alt+↑ Alt+↓ moves)'],
        initial: rows => (rows[0] as G | undefined)?.entries.map(entry => entry.text),
      }),
    },
    input: ([given], asked) => {
      const on = given as G
      const order = asked.order.flatMap(
        text => on.entries.find(entry => entry.text === text)?.id ?? [],
      )
      return { ...place(on), order, list_version: on.list_version }
    },
  })

/** The actions of a page that take one of its rows, of whose schema the browser has the name only. */
export const rowActions = <Row extends One>(at: Page, on: Schema<unknown, Row>) => {
  const row = <S = unknown, R = unknown, const A extends Asks = {}>(
    does: Call<S, unknown, R> | string,
    [title, en]: Text,
    more: More<Row, S, A> = {},
  ) => action<S, R, Row, A>(does, { title, en, at, on, takes: 'row', ...more })
  const isNow = (state: 'on' | 'off', not: Text) => (of: Row) =>
    (of as unknown as Switched).status === state || not
  return {
    row,
    /** Changes a row by the form of its record. */
    edit: <S, R, A extends Asks>(
      call: Call<S, unknown, R>,
      title: Text,
      { asks, input }: { asks: A; input: (asked: Asked<A>) => Fields<NoInfer<S>> },
      more: { main?: boolean } = {},
    ) => row(call, title, { key: 'e', asks, input: asking(input) as never, ...more }),
    enable: <R>(
      call: Call<One, unknown, R>,
      more: { key?: string; when?: (row: Row) => true | Text } = {},
    ) =>
      row(call, ['启用', 'Enable'], {
        when: isNow('off', ['已启用', 'It is enabled']),
        input: one,
        ...more,
      }),
    /** Asks why, and what else the call wants to know. */
    disable: <R>(
      call: Call<One & { reason: string }, unknown, R>,
      { asks = {}, ...more }: { asks?: Asks; key?: string; when?: (row: Row) => true | Text } = {},
    ) =>
      row(call, ['停用', 'Disable'], {
        danger: true,
        when: isNow('on', ['已停用', 'It is disabled']),
        asks: { reason, ...asks } as { reason: Ask<string> },
        input: asking(asked => asked),
        ...more,
      }),
    del: <R>(call: Call<One, unknown, R>, title: Text, more: More<Row, One, {}> = {}) =>
      row(call, title, { danger: true, input: one, ...more }),
  }
}
