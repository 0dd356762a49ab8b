import type { ChangedBy } from '#src/contract/envelope.ts'

/** Nothing said is the same as nothing there, in whatever way it is nothing. */
const plain = (value: unknown): unknown =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
    ? null
    : value
export const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(plain(a)) === JSON.stringify(plain(b))

/**
 * One answer that is not what it was when the person began: changed by them, by somebody else
 * meanwhile, or by both.
 */
export type MergeLine = {
  name: string
  was: unknown
  theirs: unknown
  mine: unknown
  how: 'both' | 'theirs' | 'mine'
}
/** Whether only its reader changed a row between two readings, by who a refusal says it was. */
export const isOwnChange = (
  before: { version?: number } | undefined,
  now: { version?: number } | undefined,
  by: ChangedBy | undefined,
): boolean => {
  const since = Number(now?.version) - Number(before?.version)
  return since > 0 && since <= (by?.own ?? 0)
}
type Answers = Readonly<Record<string, unknown>>
export type Chosen = Readonly<Record<string, 'mine' | 'theirs'>>

/** What a form holds: what the person changed, and what stood there when they changed it. */
export type Changes = { changed: Answers; based: Answers }

/**
 * Answer by answer, what became of it: `before` is what the person saw, `now` what stands there
 * now. An answer that both gave alike is no difference.
 */
export const threeWay = (
  names: readonly string[],
  before: Answers,
  now: Answers,
  { changed, based }: Changes,
): MergeLine[] =>
  names.flatMap((name): MergeLine[] => {
    const touched = name in changed
    const was = touched && name in based ? based[name] : before[name]
    const [theirs, mine] = [now[name], touched ? changed[name] : was]
    const [byThem, byMe] = [!same(was, theirs), touched && !same(was, mine)]
    if ((!byThem && !byMe) || (byThem && byMe && same(theirs, mine))) return []
    const alone = byThem ? 'theirs' : 'mine'
    return [{ name, was, theirs, mine, how: byThem && byMe ? 'both' : alone }]
  })

/**
 * The person's changes over what stands there now: theirs alone is taken, mine alone stays, of both
 * the chosen one.
 */
export const merged = (
  of: Changes,
  now: Answers,
  lines: readonly MergeLine[],
  chosen: Chosen,
): Changes => {
  const mine = Object.keys(of.changed).filter(name => {
    const line = lines.find(one => one.name === name)
    return line?.how === 'mine' || (line?.how === 'both' && chosen[name] === 'mine')
  })
  return {
    changed: Object.fromEntries(mine.map(name => [name, of.changed[name]])),
    based: Object.fromEntries(mine.map(name => [name, now[name]])),
  }
}
