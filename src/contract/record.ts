/**
 * The calls that most records have, beside `read` and `write`: each says only what is its own. Their
 * permission is their path (`system/hlink/edit` is allowed by `system.hlink.edit`), a list's is the
 * page's (`system.hlink.view`), unless said otherwise. `callsOf` says once what all calls of a page
 * have in common. The build leaves out of the browser's copy what only the server checks
 * (vite.config.ts): `fields`, `row`, `answer`.
 */
import { z } from 'zod'
import type { Text } from '#src/domain/text.ts'
import {
  placed,
  read,
  write,
  type CallScope,
  type Inverse,
  type Read,
  type ReadOf,
  type Schema,
  type Write,
  type WriteOf,
} from './call.ts'
import { id, lines, listOf, page, version, asksExport, exportBegun } from './shapes.ts'

type Shape = z.ZodRawShape
/** What is sent, and what it is once parsed; of no fields nothing, where zod says "nothing else". */
type Sent<F extends Shape> = [keyof F] extends [never] ? {} : z.input<z.ZodObject<F>>
type Parsed<F extends Shape> = [keyof F] extends [never] ? {} : z.output<z.ZodObject<F>>
type Own = { touches: readonly string[]; scope: CallScope; permit?: string }
/** A row as it was read: whoever changed it since is named to the one who comes later. */
export const one = { id, version }
type One = { id: number; version: number }
export const status = z.enum(['on', 'off'])
/** Why something was done: at least two characters. */
export const reason = lines(255, 2)

const permitOf = (path: string): string => path.replaceAll('/', '.').replace(/\.lst$/, '.view')

/** A page of rows by filters, `page` and `pageSize`; `answer` is what it tells besides the rows. */
export const lists = <F extends Shape, R, A extends Shape = {}>(
  path: string,
  title: Text,
  { filters, row, answer, ...own }: Own & { filters: F; row: z.ZodType<R>; answer?: A },
): Read<
  Sent<typeof page & F>,
  Parsed<typeof page & F>,
  { list: R[]; total: number; capped?: boolean | undefined } & Parsed<A>
> =>
  read(path, title, {
    permit: permitOf(path),
    ...own,
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(row).shape, ...answer }),
  }) as never

/** Makes a row of `fields`; answers it with its version, and `answer`. */
export const creates = <F extends Shape, A extends Shape = {}>(
  path: string,
  title: Text,
  { fields, answer, ...own }: Own & { fields: F; answer?: A },
): Write<Sent<F>, Parsed<F>, One & Parsed<A>> =>
  write(path, title, {
    permit: permitOf(path),
    ...own,
    input: z.object(fields),
    output: z.object({ ...one, ...answer }),
  }) as never

/** Changes a row as it was read, by `fields` where it takes any; answers its new version, and `answer`. */
export const changes = <F extends Shape = {}, A extends Shape = {}>(
  path: string,
  title: Text,
  { fields, answer, ...own }: Own & { fields?: F; answer?: A },
): Write<One & Sent<F>, One & Parsed<F>, One & Parsed<A>> =>
  write(path, title, {
    permit: permitOf(path),
    ...own,
    input: z.object({ ...one, ...fields }),
    output: z.object({ ...one, ...answer }),
  }) as never

/** Deletes a row as it was read. */
export const deletes = (
  path: string,
  title: Text,
  own: Own,
): Write<One, One, { id: number; deleted: true }> =>
  write(path, title, {
    permit: permitOf(path),
    ...own,
    input: z.object(one),
    output: z.object({ id, deleted: z.literal(true) }),
  })

/** Arranges the rows of the place that `fields` name: all of them, from the order that was read. */
export const sorts = <F extends Shape>(
  path: string,
  title: Text,
  { fields, most = 1000, ...own }: Own & { fields: F; most?: number },
): Write<
  Sent<F> & { order: number[]; list_version: number },
  Parsed<F> & { order: number[]; list_version: number },
  { list_version: number }
> =>
  write(path, title, {
    permit: permitOf(path),
    ...own,
    input: z.object({ ...fields, order: z.array(id).max(most), list_version: z.int() }),
    output: z.object({ list_version: z.int() }),
  }) as never

type AsksExport = ReturnType<typeof asksExport>
/** Begins a file of all that the filters of the page's list match. */
export const startsExport = <F extends Shape>(
  path: string,
  title: Text,
  { filters, ...own }: { filters: F; scope: CallScope; permit?: string },
): Write<
  Sent<F> & Sent<AsksExport>,
  Parsed<F> & Parsed<AsksExport>,
  { job_id: number; rows_expected: number }
> =>
  write(path, title, {
    permit: permitOf(path),
    ...own,
    touches: ['export'],
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
  }) as never

type Common = { touches?: readonly string[]; scope?: CallScope; permit?: string }
/** What `Of` asks for, less what the calls of a page say together. */
type Rest<Of extends Own> = Omit<Of, keyof Own> & Common
/**
 * The calls of a page, below its address `at`: what they touch and whose rows they have is said here
 * once. `rows` is 'all', or the kind of row that places them: a change then guards the row of its
 * `id`. A name with a slash is a whole path; its last part stands in the permission all the same.
 */
export const callsOf = (
  at: string,
  { touches, rows }: { touches: readonly string[]; rows: string },
) => {
  const path = (name: string) => (name.includes('/') ? name : `${at}/${name}`)
  const common = (name: string, by?: 'id') => ({
    touches,
    scope: rows === 'all' ? ('all' as const) : placed(rows, by),
    permit: permitOf(`${at}/${name.slice(name.lastIndexOf('/') + 1)}`),
  })
  const many = (name: string) => common(name)
  const single = (name: string) => common(name, 'id')
  return {
    lists: <F extends Shape, R, A extends Shape = {}>(
      name: string,
      title: Text,
      of: Common & { filters: F; row: z.ZodType<R>; answer?: A },
    ) => lists<F, R, A>(path(name), title, { ...many(name), ...of }),
    creates: <F extends Shape, A extends Shape = {}>(
      name: string,
      title: Text,
      of: Common & { fields: F; answer?: A },
    ) => creates<F, A>(path(name), title, { ...many(name), ...of }),
    changes: <F extends Shape = {}, A extends Shape = {}>(
      name: string,
      title: Text,
      of: Common & { fields?: F; answer?: A } = {},
    ) => changes<F, A>(path(name), title, { ...single(name), ...of }),
    deletes: (name: string, title: Text, of: Common = {}) =>
      deletes(path(name), title, { ...single(name), ...of }),
    sorts: <F extends Shape>(
      name: string,
      title: Text,
      of: Common & { fields: F; most?: number },
    ) => sorts<F>(path(name), title, { ...many(name), ...of }),
    startsExport: <F extends Shape>(name: string, title: Text, of: Common & { filters: F }) =>
      startsExport<F>(path(name), title, { ...many(name), ...of }),
    read: <S, P, R>(
      name: string,
      title: Text,
      of: Rest<ReadOf<Schema<S, P>, Schema<unknown, R>>>,
    ) => read<S, P, R>(path(name), title, { ...many(name), ...of }),
    write: <S, P, R>(
      name: string,
      title: Text,
      of: Rest<WriteOf<Schema<S, P>, Schema<unknown, R>>> & {
        undo?: Inverse<NoInfer<R>, NoInfer<P>>
      },
    ) => write<S, P, R>(path(name), title, { ...single(name), ...of }),
  }
}
