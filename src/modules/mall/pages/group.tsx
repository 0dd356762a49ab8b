import { HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import { groupActions } from '#commands/mall/mall.ts'
import { useSay } from '#src/kit/text.ts'
import { BatchTime, TimeLogs } from '#src/kit/times.tsx'
import { useAction } from '#src/kit/workbench.ts'
import { groupBoard, tuan, type OfferRow } from '../contract/recommend.ts'
import { OfferLine, OffersPhone, useOfferFlags } from '../parts/offers.tsx'
import { RecommendBoard } from '../parts/RecommendBoard.tsx'

export default function RecommendedGroups() {
  const say = useSay()
  const flags = useOfferFlags()
  const [expiring, setExpiring] = useState(false)
  const [changing, setChanging] = useState<readonly OfferRow[]>([])
  const [logs, setLogs] = useState(false)
  useAction(groupActions.batchTime, setChanging)
  useAction(groupActions.timeLogs, () => setLogs(true))
  return (
    <>
      <RecommendBoard<OfferRow>
        block="group"
        label={say(['团购推荐位', 'Recommended group-buys'])}
        list={tuan.listRecommends}
        more={{ block: 'group', ...(expiring ? { expiring: true } : {}) }}
        actions={Object.values(groupActions)}
        sort={groupActions.sort}
        sortCall={groupBoard.sort}
        titled={{ action: groupActions.setTitle, call: groupBoard.setTitle }}
        nameOf={row => row.title}
        row={row => <OfferLine of={row} />}
        flags={flags}
        preview={{
          action: groupActions.preview,
          draw: (rows, title) => <OffersPhone rows={rows} title={title} />,
        }}
        filters={
          <HTMLSelect
            aria-label={say(['候选范围', 'Which candidates'])}
            value={expiring ? '1' : ''}
            onChange={event => setExpiring(event.target.value === '1')}
            options={[
              { value: '', label: say(['全部', 'All']) },
              { value: '1', label: say(['7 天内停售', 'Ending in 7 days']) },
            ]}
          />
        }
      />
      {changing.length > 0 && (
        <BatchTime
          ids={changing.map(row => row.id)}
          call={groupBoard.batchTime}
          close={() => setChanging([])}
        />
      )}
      {logs && (
        <TimeLogs
          logs={groupBoard.timeLogs}
          call={groupBoard.batchTime}
          close={() => setLogs(false)}
        />
      )}
    </>
  )
}
