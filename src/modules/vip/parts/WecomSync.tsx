import type { z } from 'zod'
import { changeKinds, staffStates } from '#src/areas/wecom/wecom.ts'
import type { changeRow } from '#src/contract/wecom.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

type Change = z.output<typeof changeRow>
/** A state of a colleague in words, where that is what changed. */
const useValue = () => {
  const say = useSay()
  return ({ kind }: Change, value: string): string =>
    kind === 'state' && Object.hasOwn(staffStates, value)
      ? say(staffStates[value as keyof typeof staffStates])
      : value
}
/** What a sync changed, or what became of one department. */
export const Changes = ({ rows, named = false }: { rows: readonly Change[]; named?: boolean }) => {
  const say = useSay()
  const valueOf = useValue()
  if (rows.length === 0) return <p className="m-muted">{say(['没有变更', 'No changes'])}</p>
  return (
    <SmallTable
      head={[
        ...(named ? ([['对象', 'What']] as const) : []),
        ['变更', 'Change'],
        ['原来', 'Was'],
        ['现在', 'Now'],
        ['时间', 'Time'],
      ]}
      rows={rows}
      keyOf={one => one.id}
      cells={one => [
        ...(named ? [one.name] : []),
        <Words key="kind" of={changeKinds[one.kind]} />,
        valueOf(one, one.was) || '—',
        valueOf(one, one.now) || '—',
        <When key="at" at={one.at} />,
      ]}
    />
  )
}
