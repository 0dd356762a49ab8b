import { useState } from 'react'
import { bulksActions } from '#commands/audit.ts'
import { useAction } from '#src/kit/workbench.ts'
import type { AuditItem } from '../contract.ts'
import { AuditQueue } from '../parts/AuditQueue.tsx'
import { BatchTime, TimeLogs } from '../parts/BatchTime.tsx'

export default function BulksAudit() {
  const [changing, setChanging] = useState<readonly AuditItem[]>([])
  const [logs, setLogs] = useState(false)
  useAction(bulksActions.batchTime, setChanging)
  useAction(bulksActions.timeLogs, () => setLogs(true))
  return (
    <>
      <AuditQueue queue="bulks" />
      {changing.length > 0 && <BatchTime rows={changing} close={() => setChanging([])} />}
      {logs && <TimeLogs close={() => setLogs(false)} />}
    </>
  )
}
