import { Snowflake } from '@blueprintjs/icons'
import { useSyncExternalStore } from 'react'
import { useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import type { PaneId } from './tree.ts'

/** Says of a pane behind a tab that its page was taken down, and that nothing of it is lost. */
export const FrozenMark = ({ pane }: { pane: PaneId }) => {
  const desk = useDesk()
  const say = useSay()
  const frozen = useSyncExternalStore(desk.kept.subscribe, () => desk.kept.isFrozen(pane))
  return (
    frozen && (
      <Snowflake
        size={12}
        className="s-frozen"
        title={say([
          '已冻结：切换回来时恢复筛选、页码、选择与位置',
          'Frozen: filters, page, selection and place come back with it',
        ])}
      />
    )
  )
}
