import { invoiceKinds } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { Badge, Money, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderDetail } from '../contract/shared.ts'

const looks = {
  issued: ['good', ['已开票', 'Issued']],
  due: ['warn', ['待开票', 'To issue']],
  none: ['plain', ['无需开票', 'Nothing to issue']],
} as const satisfies Record<string, readonly [ToneName, Text]>
/**
 * Whether one was asked for, whose it is, and whether it is out: of another amount than stands now,
 * it has to be put right.
 */
export const InvoiceOf = ({ of }: { of: OrderDetail['facts']['invoice'] }) => {
  const say = useSay()
  if (!of) return <span className="m-muted">{say(['未申请', 'Not requested'])}</span>
  const { issued, due_cents } = of
  const due = due_cents > 0 ? looks.due : looks.none
  const [tone, words] = issued ? looks.issued : due
  return (
    <>
      <Badge tone={tone}>{say(words)}</Badge> {say(invoiceKinds[of.kind])}{' '}
      {of.company ?? of.title ?? '—'}
      {of.tax_no && <span className="m-num"> {of.tax_no}</span>}
      {issued ? (
        <div>
          <span className="m-num">{issued.no}</span> <Money cents={issued.amount_cents} sign />{' '}
          <span className="m-muted">
            {issued.by} <When at={issued.at} />
          </span>
          {issued.amount_cents !== due_cents && (
            <>
              {' '}
              <Badge tone="bad">
                {say(['开票后有退款，需冲红', 'Refunded since: put it right'])}
              </Badge>
            </>
          )}
        </div>
      ) : (
        <span className="m-muted">
          {' '}
          {say(['申请于', 'asked for'])} <When at={of.asked_at} />
        </span>
      )}
    </>
  )
}
