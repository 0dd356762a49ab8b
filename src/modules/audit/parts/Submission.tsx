import { useEffect, useRef, type ReactNode } from 'react'
import { refundTrial, rejectCodes, ruleText, submitTypes } from '#src/areas/audit/audit.ts'
import { fieldNames, type Field } from '#src/areas/product/fields.ts'
import { changedFields } from '#src/areas/product/product.ts'
import type { ShownBody } from '#src/contract/product.ts'
import { yuan } from '#src/domain/money.ts'
import { dateOf } from '#src/domain/time.ts'
import { Fact, Facts, Money, quantity, Section, When } from '#src/kit/show.tsx'
import { Expiry, Findings, Pictures, Rounds, SubmissionFrame } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import './audit.css'
import type { AuditDetail } from '../contract.ts'
import { groups, wordsOf } from './fields.ts'

/** A moment stays in one line; broken at its dashes it can't be read. */
const momentOf = (field: Field) => (field.endsWith('_at') ? 'a-moment' : undefined)
/**
 * Each field as submitted; where the version on sale differs, the old value struck out beside the
 * new.
 */
const Fields = ({ of, changed }: { of: AuditDetail; changed: ReadonlySet<string> }) => {
  const say = useSay()
  return groups.map(group => {
    const rows = group.fields.flatMap(field => {
      const now = wordsOf(field, of.body, of.names, say)
      const before = of.live ? wordsOf(field, of.live, of.names, say) : undefined
      return now === undefined && before === undefined ? [] : [{ field, now, before }]
    })
    if (rows.length === 0) return null
    return (
      <Section key={group.title[1]} title={say(group.title)}>
        <dl className="m-facts">
          {rows.map(({ field, now, before }) => (
            <div
              key={field}
              className={[
                [
                  'store_ids',
                  'buy_notes',
                  'title',
                  'unavailable_dates',
                  'return_address_id',
                ].includes(field)
                  ? 'm-wide'
                  : '',
                of.field_marks[field] ? 'a-marked' : '',
              ].join(' ')}
            >
              <dt>{say(fieldNames[field])}</dt>
              <dd className="a-diff m-num" style={{ whiteSpace: 'pre-wrap' }}>
                {changed.has(field) && of.live ? (
                  <>
                    {before !== undefined && <del className={momentOf(field)}>{before}</del>}
                    {now !== undefined && <ins className={momentOf(field)}>{now}</ins>}
                  </>
                ) : (
                  now
                )}
                {of.field_marks[field] && <span className="a-mark">{of.field_marks[field]}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    )
  })
}

const Package = ({ body }: { body: ShownBody }) => {
  const say = useSay()
  if (!body.package?.length) return null
  return (
    <Section title={say(['套餐内容', 'Package'])}>
      <table className="a-table">
        <thead>
          <tr>
            <th>{say(['内容', 'Item'])}</th>
            <th className="a-end">{say(['数量', 'Qty'])}</th>
            <th className="a-end">{say(['单价', 'Price'])}</th>
          </tr>
        </thead>
        <tbody>
          {body.package.map((line, i) => (
            <tr key={i}>
              <td>{line.name}</td>
              <td className="a-end">{quantity(line.qty)}</td>
              <td className="a-end">
                <Money cents={line.price_cents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
/** Every variant with what it was before; a changed cell is marked. */
const Skus = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  if (!of.body.skus?.length) return null
  const before = new Map(of.live?.skus?.map(sku => [sku.code, sku]))
  const gone = of.live?.skus?.filter(sku => !of.body.skus!.some(now => now.code === sku.code)) ?? []
  return (
    <Section
      title={say(['规格', 'Variants'])}
      aside={<span className="m-muted m-num">{of.body.skus.length}</span>}
    >
      <table className="a-table a-diff">
        <thead>
          <tr>
            <th>{say(['规格', 'Variant'])}</th>
            <th>{say(['编码', 'Code'])}</th>
            <th className="a-end">{say(['售价', 'Price'])}</th>
            <th className="a-end">{say(['库存', 'Stock'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.body.skus.map(sku => {
            const old = before.get(sku.code)
            return (
              <tr key={sku.code}>
                <td>{of.live && !old ? <ins>{sku.name}</ins> : sku.name}</td>
                <td className="m-muted">{sku.code}</td>
                <td
                  className="a-end"
                  data-changed={(old && old.price_cents !== sku.price_cents) || undefined}
                >
                  {old && old.price_cents !== sku.price_cents && <del>{yuan(old.price_cents)}</del>}
                  <Money cents={sku.price_cents} />
                </td>
                <td className="a-end" data-changed={(old && old.stock !== sku.stock) || undefined}>
                  {old && old.stock !== sku.stock && <del>{quantity(old.stock)}</del>}
                  {quantity(sku.stock)}
                </td>
              </tr>
            )
          })}
          {gone.map(sku => (
            <tr key={sku.code}>
              <td>
                <del>{sku.name}</del>
              </td>
              <td className="m-muted">{sku.code}</td>
              <td className="a-end">
                <del>{yuan(sku.price_cents)}</del>
              </td>
              <td className="a-end">
                <del>{quantity(sku.stock)}</del>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const Merchant = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  const { merchant } = of
  return (
    <Section title={say(['商户与资质', 'Merchant and licences'])}>
      <Facts>
        <Fact label={say(['商户', 'Merchant'])} wide>
          {merchant.name}
        </Fact>
        <Fact label={say(['联系电话', 'Phone'])}>
          <span className="m-num">{merchant.contact_phone ?? '—'}</span>
        </Fact>
        <Fact label={say(['近 90 天', 'Last 90 days'])}>
          <span className="m-num">
            {say(['通过 {a} · 驳回 {r}', '{a} approved · {r} rejected'], {
              a: merchant.approved_90d,
              r: merchant.rejected_90d,
            })}
          </span>
        </Fact>
        <Fact label={say(['营业执照', 'Licence'])} wide>
          <span className="m-num">{merchant.license_no ?? '—'}</span>{' '}
          <Expiry at={merchant.license_expire_at} />
        </Fact>
        {merchant.qualifications.map(one => (
          <Fact key={one.name} label={one.name} wide>
            <span className="m-num">{one.no ?? '—'}</span> <Expiry at={one.expire_at} />
          </Fact>
        ))}
        {of.stores.slice(0, 8).map(store => (
          <Fact
            key={store.id}
            label={store.name === of.stores[0]?.name ? say(['适用门店', 'Stores']) : ''}
            wide
          >
            {store.name} <span className="m-muted">{store.address}</span>
          </Fact>
        ))}
        {of.stores.length > 8 && (
          <Fact label="" wide>
            <span className="m-muted">
              {say(['等 {n} 家', '{n} total'], { n: of.stores.length })}
            </span>
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Prices = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  const points = [...of.prices.map(one => one.price_cents), of.body.price_cents]
  if (points.length < 2) return null
  const low = Math.min(...points)
  const span = Math.max(1, Math.max(...points) - low)
  const at = points.map(
    (cents, i) => [(i / (points.length - 1)) * 158 + 1, 30 - ((cents - low) / span) * 28] as const,
  )
  return (
    <Section title={say(['历史价格', 'Price history'])}>
      <svg
        className="a-spark"
        role="img"
        aria-label={points.map(cents => yuan(cents)).join(' → ')}
        viewBox="0 0 160 32"
      >
        <path d={`M${at.map(point => point.join(' ')).join('L')}`} />
        {at.map(([x, y], i) => (
          <circle key={i} cx={x} cy={y} r={2} />
        ))}
      </svg>
      <table className="a-table">
        <tbody>
          {of.prices.slice(-4).map(one => (
            <tr key={one.no}>
              <td className="m-muted">v{one.no}</td>
              <td>
                <When at={one.at} />
              </td>
              <td className="a-end">
                <Money cents={one.price_cents} sign />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
const Siblings = ({ of }: { of: AuditDetail }) => {
  const say = useSay()
  if (of.siblings.length === 0 && of.redeemed_30d.count === 0) return null
  return (
    <Section
      title={say(['同店在售', 'On sale in the same stores'])}
      aside={
        <span className="m-muted m-num">
          {say(['近 30 天核销 {n} 次，¥{y}', '{n} redeemed in 30 days, ¥{y}'], {
            n: of.redeemed_30d.count,
            y: yuan(of.redeemed_30d.cents),
          })}
        </span>
      }
    >
      <table className="a-table">
        <tbody>
          {of.siblings.map(one => (
            <tr key={one.product_id}>
              <td>{one.title}</td>
              {one.face_cents !== undefined && (
                <td className="a-end m-muted">
                  {say(['面值', 'Face'])} ¥{yuan(one.face_cents)}
                </td>
              )}
              <td className="a-end">
                <Money cents={one.price_cents} sign />
              </td>
              <td className="a-end m-muted">{say(['已售 {n}', '{n} sold'], { n: one.sold })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
/** What a buyer gets back after each number of uses: the shares always sum back to the price. */
const Trial = ({ body, open }: { body: ShownBody; open: boolean }) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) box.current?.focus()
  }, [open])
  if (!body.times_total || body.times_total > 999) return null
  const trial = refundTrial(body.price_cents, body.times_total)
  const shown = trial.length > 14 ? [...trial.slice(0, 7), ...trial.slice(-6)] : trial
  return (
    <div ref={box} tabIndex={-1} style={{ outline: 'none' }}>
      <Section
        title={say(['退款试算', 'Refund trial'])}
        aside={
          <span className="m-muted">{say(['已用 + 可退 = 售价', 'used + refund = price'])}</span>
        }
      >
        <table className="a-table">
          <thead>
            <tr>
              <th>{say(['已用次数', 'Used'])}</th>
              <th className="a-end">{say(['已用金额', 'Used value'])}</th>
              <th className="a-end">{say(['可退', 'Refund'])}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={row.used}>
                <td>
                  {row.used}
                  {i > 0 && shown[i - 1]!.used !== row.used - 1 ? ' ⋯' : ''}
                </td>
                <td className="a-end">
                  <Money cents={row.kept_cents} />
                </td>
                <td className="a-end">
                  <Money cents={row.refund_cents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </div>
  )
}

type Props = {
  of: AuditDetail
  me: number
  stale?: boolean
  trial?: boolean
  /** As it was before it was decided: nothing that came after is told. */ blind?: boolean
  zoom: number | undefined
  setZoom: (index: number | undefined) => void
  children?: ReactNode
}
/**
 * One submission in full, laid out for its decision: what the rules say, what changed, who asks.
 */
export const Submission = ({
  of,
  me,
  stale,
  trial = false,
  blind = false,
  zoom,
  setZoom,
  children,
}: Props) => {
  const say = useSay()
  const changed = new Set(of.live ? changedFields(of.live, of.body) : [])
  const { task } = of
  return (
    <SubmissionFrame
      task={task}
      me={me}
      viewers={of.viewers}
      blind={blind}
      stale={stale}
      told={
        <>
          <span>
            {say(submitTypes[task.submit_type])}
            {task.round > 1 && say([' · 第 {n} 轮', ' · round {n}'], { n: task.round })}
          </span>
          <span>
            {task.city_name} · {task.store_name}
            {task.store_count > 1 && say([' 等 {n} 家', ', {n} total'], { n: task.store_count })}
          </span>
        </>
      }
      banner={children}
    >
      <Findings
        of={of.findings}
        text={ruleText}
        fieldOf={field => (field in fieldNames ? fieldNames[field as Field] : undefined)}
      />
      <div className="a-columns">
        <div>
          <Pictures
            images={of.body.images}
            {...(of.live && { before: of.live.images })}
            zoom={zoom}
            setZoom={setZoom}
          />
          <Fields of={of} changed={changed} />
          <Package body={of.body} />
          <Skus of={of} />
          <Trial body={of.body} open={trial} />
        </div>
        <div>
          <Merchant of={of} />
          {!blind && (
            <Section title={say(['销售情况', 'Sales'])}>
              <Facts>
                <Fact label={say(['已售订单', 'Paid orders'])}>
                  <span className="m-num">{of.sold.paid}</span>
                </Fact>
                <Fact label={say(['未用券码', 'Unused codes'])}>
                  <span className="m-num">{of.sold.unused_codes}</span>
                  {of.sold.latest_valid_until && of.sold.unused_codes > 0
                    ? say(['，最晚 {d} 到期', ', until {d}'], {
                        d: dateOf(of.sold.latest_valid_until),
                      })
                    : ''}
                </Fact>
              </Facts>
            </Section>
          )}
          <Prices of={of} />
          <Siblings of={of} />
          <Rounds
            of={of.rounds}
            codes={rejectCodes}
            what={one =>
              one.own
                ? say(['本次提交第 {n} 轮', 'This submission, round {n}'], { n: one.round })
                : one.title
            }
          />
        </div>
      </div>
    </SubmissionFrame>
  )
}
