import { AuditQueue } from '../parts/AuditQueue.tsx'

export default function ProductAudit() {
  return <AuditQueue queue="product" />
}
