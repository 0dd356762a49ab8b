import { AuditQueue } from '../parts/AuditQueue.tsx'

export default function CardAudit() {
  return <AuditQueue queue="card" />
}
