import { AuditQueue } from '../parts/AuditQueue.tsx'

export default function VoucherAudit() {
  return <AuditQueue queue="voucher" />
}
