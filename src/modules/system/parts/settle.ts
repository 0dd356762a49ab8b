import type { ReactNode } from 'react'
import type { ChangedBy } from '#src/contract/envelope.ts'
import type { Text } from '#src/domain/text.ts'
import { merged, same, threeWay } from '#src/kit/merge.ts'
import type { Workbench } from '#src/kit/workbench.ts'

type Parts<T> = Readonly<Record<string, T | undefined>>
/**
 * Brings together what two people made of the same parts (days of a roster, fields of a role), part
 * by part: what only one of them changed is taken, of what both did the person chooses. `base` is
 * what they began with, `now` what stands there. Undefined: they want to go back and look again.
 */
export const settleParts = async <T>(
  settle: Workbench['settle'],
  of: {
    base: Parts<T>
    now: Parts<T>
    mine: Parts<T>
    by?: ChangedBy | undefined
    label: (name: string) => Text
    told: (value: T | undefined) => ReactNode
  },
): Promise<Parts<T> | undefined> => {
  const { base, now, mine } = of
  const names = [
    ...new Set([...Object.keys(base), ...Object.keys(now), ...Object.keys(mine)]),
  ].sort()
  const changes = {
    changed: Object.fromEntries(
      names.filter(name => !same(base[name], mine[name])).map(name => [name, mine[name]]),
    ),
    based: base,
  }
  const lines = threeWay(names, base, now, changes)
  const told = (value: unknown) => of.told(value as T | undefined)
  const chosen = lines.some(line => line.how !== 'mine')
    ? await settle({
        by: of.by,
        more: [],
        lines: lines.map(line => ({
          name: line.name,
          label: of.label(line.name),
          how: line.how,
          was: told(line.was),
          theirs: told(line.theirs),
          mine: told(line.mine),
        })),
      })
    : {}
  return chosen && { ...now, ...(merged(changes, now, lines, chosen).changed as Parts<T>) }
}
