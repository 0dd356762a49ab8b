import { requestStates, type RequestState } from '#src/areas/ecard/cardOrder.ts'
import { Badge, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { ecardOrderDetail, type RequestOfOrder } from '../contract/ecard.ts'
import { PagedSection } from './ecards.tsx'

const requestTones: Partial<Record<RequestState, ToneName>> = {
  pending: 'info',
  success: 'good',
  failed: 'bad',
  surplus: 'warn',
}
/** What a supplier was asked for and answered, unit by unit. */
const Requests = ({ of }: { of: readonly RequestOfOrder[] }) => {
  const say = useSay()
  return (
    <table className="o-table">
      <thead>
        <tr>
          <th className="o-right">{say(['第几张', 'Unit'])}</th>
          <th>{say(['时间', 'When'])}</th>
          <th>{say(['请求号', 'Our number'])}</th>
          <th>{say(['结果', 'Result'])}</th>
          <th>{say(['供应商返回', 'The supplier said'])}</th>
          <th>{say(['经手', 'By'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(one => (
          <tr key={one.id}>
            <td className="o-right m-num">{one.unit}</td>
            <td>
              <When at={one.at} />
            </td>
            <td className="m-num">{one.out_no}</td>
            <td>
              <Badge tone={requestTones[one.state] ?? 'plain'}>
                {say(requestStates[one.state])}
              </Badge>
            </td>
            <td>
              {one.supplier} · {one.answer || '—'}
              {one.supplier_no && <span className="m-num m-muted"> {one.supplier_no}</span>}
              {one.tries > 1 && (
                <span className="m-muted">
                  {' '}
                  {say(['已查询 {n} 次', 'asked {n} times'], { n: one.tries })}
                </span>
              )}
            </td>
            <td>{one.by ? `${one.by} · ${one.reason ?? ''}` : say(['自动', 'Automatic'])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
/** The requests of an order; nothing of one whose cards come from stock. */
export const SupplierRequests = ({ order_id }: { order_id: number }) => (
  <PagedSection
    of={ecardOrderDetail.requests}
    order_id={order_id}
    title={['供应商请求与应答', 'What suppliers were asked for']}
  >
    {list => <Requests of={list} />}
  </PagedSection>
)
