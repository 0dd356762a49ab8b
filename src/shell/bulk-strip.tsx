import { Button, ProgressBar } from '@blueprintjs/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { bulkReport, bulkResume } from '#commands/shell.ts'
import { Coming } from '#src/kit/coming.tsx'
import { loadable } from '#src/kit/loadable.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { tallyOf } from './bulk.ts'
import { useDesk, type Desk } from './desk.ts'
import { actionById, everything } from './registry.ts'

export const BulkReport = loadable(
  async () => {
    await everything()
    return (await import('./bulk-report.tsx')).BulkReport
  },
  <Coming />,
)
const useBulk = () => {
  const desk = useDesk()
  return useSyncExternalStore(desk.subscribe, () => desk.bulk)
}

/** Tells how far a batch is, and holds, carries on or stops it. */
const Strip = ({ bulk }: { bulk: NonNullable<Desk['bulk']> }) => {
  const say = useSay()
  const now = useLang()
  const desk = useDesk()
  const tally = tallyOf(bulk.of)
  const action = actionById(bulk.of.action)
  const settled = tally.ok.length + tally.failed.length
  return (
    <div className="s-strip s-bulk" role="status">
      <span>
        {action ? titleIn(action, now) : ''}{' '}
        <span className="m-num">
          {settled.toLocaleString()} / {tally.rows.toLocaleString()}
        </span>
        {tally.failed.length > 0 && (
          <span className="m-num">
            {' '}
            · {say(['失败 {n}', '{n} failed'], { n: tally.failed.length })}
          </span>
        )}
        {bulk.state === 'held' && ` · ${say(['已暂停', 'held'])}`}
      </span>
      <ProgressBar
        animate={false}
        stripes={false}
        intent={bulk.state === 'held' ? 'warning' : 'primary'}
        value={tally.rows === 0 ? 0 : settled / tally.rows}
      />
      {bulk.state === 'held' && (
        <Button size="small" intent="primary" onClick={desk.resumeBulk}>
          {say(['继续', 'Carry on'])}
        </Button>
      )}
      <Button size="small" variant="minimal" onClick={desk.stopBulk}>
        {bulk.state === 'held' ? say(['放弃', 'Give up']) : say(['暂停', 'Hold'])}
      </Button>
    </div>
  )
}

/** How far the batch under way is, and its outcome once it is done. */
export const BulkHost = () => {
  const desk = useDesk()
  const bulk = useBulk()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const take = [
      desk.global(bulkReport.id, () => setOpen(true)),
      desk.global(bulkResume.id, desk.resumeBulk),
    ]
    return () => take.forEach(one => one())
  }, [desk])
  // A batch that ended while one looked, with failures, shows them by itself.
  const [seen, setSeen] = useState(bulk?.state)
  if (seen !== bulk?.state) {
    setSeen(bulk?.state)
    if (seen === 'running' && bulk?.state === 'done' && tallyOf(bulk.of).failed.length > 0)
      setOpen(true)
  }
  return (
    <>
      {bulk && bulk.state !== 'done' && <Strip bulk={bulk} />}
      {open && <BulkReport of={bulk?.of} close={() => setOpen(false)} />}
    </>
  )
}
