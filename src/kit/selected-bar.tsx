import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { listClear, listSelectAll } from '#commands/list.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { SELECT_MAX, selectedWords, type ListState } from './uselist.ts'
import { useWorkbench } from './workbench.ts'

type Selection = Pick<ListState<unknown>, 'total' | 'selectAll' | 'clear'> & {
  selected: { size: number }
}
/**
 * How many rows are selected, and what widens or ends the selection. It stands in the foot of the
 * list, whose room is always there: rows stay where they are when the first one is ticked.
 */
export const SelectedBar = ({ of }: { of: Selection }) => {
  const say = useSay()
  const { keysOf } = useWorkbench()
  if (of.selected.size === 0) return null
  const most = Math.min(of.total, SELECT_MAX)
  return (
    <div className="m-selected-bar" role="status">
      <span>{say(...selectedWords(of.selected.size, of.total))}</span>
      {of.selected.size < most && (
        <Button
          size="small"
          variant="minimal"
          intent="primary"
          data-command={listSelectAll.id}
          onClick={() => void of.selectAll().catch(() => {})}
        >
          {say(
            of.total > SELECT_MAX
              ? ['选择前 {n} 项（共 {all} 项符合）', 'Select the first {n} of {all} that match']
              : ['选择全部 {n} 项匹配', 'Select all {n} that match'],
            { n: most, all: of.total },
          )}
          <Keys keys={keysOf(listSelectAll.id)} />
        </Button>
      )}
      <Button
        size="small"
        variant="minimal"
        icon={<Cross />}
        data-command={listClear.id}
        onClick={of.clear}
      >
        {say(['清除', 'Clear'])}
        <Keys keys={keysOf(listClear.id)} />
      </Button>
    </div>
  )
}
