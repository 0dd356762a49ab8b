import { useState } from 'react'
import { bulksActions } from '#commands/audit/audit.ts'
import { BatchTime, TimeLogs } from '#src/kit/times.tsx'
import { useAction } from '#src/kit/workbench.ts'
import { tuan, type AuditItem } from '../contract.ts'
import { AuditQueue } from '../parts/AuditQueue.tsx'

export default function BulksAudit() {
  const [changing, setChanging] = useState<readonly AuditItem[]>([])
  const [logs, setLogs] = useState(false)
  useAction(bulksActions.batchTime, setChanging)
  useAction(bulksActions.timeLogs, () => setLogs(true))
  return (
    <>
      <AuditQueue queue="bulks" />
      {changing.length > 0 && (
        <BatchTime
          ids={changing.map(row => row.product_id)}
          call={tuan.batchUpdateStartAndCheckTime}
          close={() => setChanging([])}
        />
      )}
      {logs && (
        <TimeLogs
          logs={tuan.timeLogs}
          call={tuan.batchUpdateStartAndCheckTime}
          close={() => setLogs(false)}
        />
      )}
    </>
  )
}
