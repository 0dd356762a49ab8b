import type { Stale } from './conflict.tsx'
import type { CallError } from './data.ts'

/** Faults by question, and one for the whole; `stale`, where the row is no longer as it was. */
export type Refused = { fields?: Readonly<Record<string, string>>; message?: string; stale?: Stale }
/**
 * What a call of a form was refused for, at its questions: `as` says what a field of the call is
 * called here, `newest` reads the row anew where it was stale.
 */
export const refusedBy = async (
  fault: unknown,
  {
    as = {},
    newest,
  }: {
    as?: Readonly<Record<string, string>>
    newest?: (() => Promise<readonly any[]>) | undefined
  } = {},
): Promise<Refused> => {
  const { status, data, message } = fault as CallError
  const head = (path: string) => path.split('.')[0]!
  const fields = Object.fromEntries(
    Object.entries(data?.fields ?? {}).map(([path, words]) => [
      as[head(path)] ?? (Object.hasOwn(as, path) ? as[path]! : head(path)),
      words,
    ]),
  )
  if (status !== 409 || data?.rule !== 'stale' || !newest) return { fields, message }
  // What can't be read again can't be merged: the refusal stands as it came.
  return newest().then(
    rows => ({ message, stale: { rows, by: data.by } }),
    () => ({ message }),
  )
}
