import type { ReactNode } from 'react'
import { rejectCodes, ruleText, submitTypes } from '#src/areas/audit/audit.ts'
import { fieldNames, type Field } from '#src/areas/product/fields.ts'
import { changedFields } from '#src/areas/product/product.ts'
import type { ShownBody } from '#src/contract/product.ts'
import { yuan } from '#src/domain/money.ts'
import { Money, quantity, Section } from '#src/kit/show.tsx'
import { Findings, Pictures, Rounds, SubmissionFrame } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import type { AuditDetail } from '../contract.ts'
import { groups, wordsOf } from './fields.ts'
import { RefundTrial } from './RefundTrial.tsx'
import { Merchant, Prices, Sales, Siblings } from './submissionSide.tsx'
import './audit.css'

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
          <RefundTrial body={of.body} open={trial} />
        </div>
        <div>
          <Merchant of={of} />
          {!blind && <Sales of={of.sold} />}
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
