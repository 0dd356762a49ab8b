import { useState, type ReactNode } from 'react'
import { brandAuditActions as actions } from '#commands/brand/audit.ts'
import { applicationKinds } from '#src/areas/application/application.ts'
import { brandStates } from '#src/areas/brand/brand.ts'
import {
  allBrandFields,
  brandFields,
  brandRefuseCodes,
  brandRuleText,
  type BrandField,
} from '#src/areas/brand/brandBody.ts'
import { classText } from '#src/areas/brand/trademark.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { useRead } from '#src/kit/data.ts'
import { Thumb } from '#src/kit/image.tsx'
import type { Viewed } from '#src/kit/queue-page.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import {
  Expiry,
  FactChange,
  Findings,
  Pictures,
  Rounds,
  SubmissionFrame,
} from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAnswered } from '#src/kit/workbench.ts'
import { brandAudit as calls, type BrandDetail } from '../contract/audit.ts'
import './brand.css'

type Say = ReturnType<typeof useSay>
type Body = Partial<BrandDetail['task']['body']>
const groups: readonly { title: Text; fields: readonly BrandField[] }[] = [
  { title: ['品牌', 'Brand'], fields: ['name', 'en_name', 'category_id'] },
  {
    title: ['商标', 'Trademark'],
    fields: ['company', 'trademark_no', 'trademark_classes', 'trademark_end_at'],
  },
  { title: ['授权', 'Authorisation'], fields: ['chain', 'auth_end_at'] },
]
const wide: ReadonlySet<BrandField> = new Set([
  'category_id',
  'company',
  'trademark_classes',
  'chain',
])
const listed = (classes: readonly number[], say: Say) =>
  classes.map(one => say(classText(one))).join(say(comma)) || '—'
/** A field in words; undefined where it is not told. */
const wordsOf = (field: BrandField, of: Body, detail: BrandDetail, say: Say): ReactNode => {
  switch (field) {
    case 'category_id':
      return of.category_id && (detail.categories[of.category_id] ?? `#${of.category_id}`)
    case 'trademark_classes':
      return of.trademark_classes && listed(of.trademark_classes, say)
    case 'trademark_end_at':
      return of.trademark_end_at ? <Expiry at={of.trademark_end_at} /> : '—'
    case 'auth_end_at':
      return of.auth_end_at === null ? (
        say(['与商标有效期相同', 'With the trademark'])
      ) : (
        <Expiry at={of.auth_end_at ?? null} />
      )
    case 'chain':
      return (
        of.chain && (
          <Chain of={{ chain: of.chain, company: of.company ?? detail.task.body.company }} />
        )
      )
    default:
      return of[field] === '' ? '—' : String(of[field] ?? '')
  }
}
/** From the owner of the trademark down to the merchant. */
const Chain = ({ of: { chain, company } }: { of: Pick<Required<Body>, 'chain' | 'company'> }) => {
  const say = useSay()
  return (
    <ol className="b-chain">
      <li>
        {company} <span className="m-muted">{say(['商标权人', 'owner'])}</span>
      </li>
      {chain.map((link, at) => (
        <li key={`${at} ${link.name}`}>
          {link.name}{' '}
          {link.image === '' ? (
            <Badge tone="bad">{say(['缺少授权书', 'No paper'])}</Badge>
          ) : (
            <span className="m-muted">{say(['有授权书', 'with a paper'])}</span>
          )}
        </li>
      ))}
    </ol>
  )
}
/** Each field as submitted; what stands there now, or stood there in the last round, struck out beside it. */
const Fields = ({ of }: { of: BrandDetail }) => {
  const say = useSay()
  const before: Body = { ...of.last, ...of.live }
  return groups.map(({ title, fields }) => (
    <Section key={title[1]} title={say(title)}>
      <dl className="m-facts">
        {fields.map(field => {
          const now = wordsOf(field, of.task.body, of, say) ?? '—'
          const was = field in before ? wordsOf(field, before, of, say) : undefined
          const label = say(brandFields[field])
          return <FactChange key={field} label={label} now={now} was={was} wide={wide.has(field)} />
        })}
      </dl>
    </Section>
  ))
}

/** A brand beside the one that is applied for; what is the same in both is marked. */
const Compared = ({ of, brand_id }: { of: BrandDetail; brand_id: number }) => {
  const say = useSay()
  const { body, category_name, id } = of.task
  return (
    <Answer of={useRead(calls.compare, { id, brand_id })} lines={6}>
      {other => {
        const rows: readonly (readonly [Text, string, string])[] = [
          [brandFields.name, body.name, other.name],
          [brandFields.en_name, body.en_name, other.en_name],
          [brandFields.category_id, category_name, other.category_name],
          [brandFields.company, body.company, other.company],
          [brandFields.trademark_no, body.trademark_no, other.trademark_no],
          [
            brandFields.trademark_classes,
            listed(body.trademark_classes, say),
            listed(other.trademark_classes, say),
          ],
        ]
        return (
          <table className="b-compared" aria-label={say(['对比相似品牌', 'Compare'])}>
            <thead>
              <tr>
                <td />
                <th scope="col">
                  <Thumb of={body.logo} /> {say(['申请', 'Applied for'])}
                </th>
                <th scope="col">
                  <Thumb of={other.logo} /> {say(brandStates[other.state])} #{other.id}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([title, mine, theirs]) => (
                <tr key={title[1]} data-same={(mine !== '' && mine === theirs) || undefined}>
                  <th scope="row">{say(title)}</th>
                  <td>{mine || '—'}</td>
                  <td>{theirs || '—'}</td>
                </tr>
              ))}
              <tr>
                <th scope="row">{say(['使用情况', 'In use'])}</th>
                <td>{of.task.merchant_name}</td>
                <td>
                  {say(['{stores} 家门店 · {goods} 件在售', '{stores} stores, {goods} on sale'], {
                    stores: other.stores,
                    goods: other.goods,
                  })}
                  {other.merchants.length > 0 && ` · ${other.merchants.join(say(comma))}`}
                </td>
              </tr>
            </tbody>
          </table>
        )
      }}
    </Answer>
  )
}
/** Brands like the one that is applied for, and one of them beside it. */
const Alike = ({ of }: { of: BrandDetail }) => {
  const say = useSay()
  const { alike, id } = of.task
  const [chosen, choose] = useState<{ of: number; brand_id: number } | undefined>(undefined)
  useAnswered(actions.compare, ({ brand_id }) => choose({ of: id, brand_id }))
  const shown = chosen?.of === id ? chosen.brand_id : alike[0]?.id
  return (
    <Section title={say(['相似品牌', 'Similar brands'])}>
      {alike.length === 0 && shown === undefined && (
        <p className="m-muted">{say(['没有名称相似的品牌', 'No brand has a similar name'])}</p>
      )}
      {alike.length > 0 && (
        <p className="b-alike">
          {alike.map(one => (
            <Badge key={one.id} tone={one.percent > 85 ? 'warn' : 'plain'}>
              {one.name} {one.percent}%
            </Badge>
          ))}
        </p>
      )}
      {shown !== undefined && <Compared of={of} brand_id={shown} />}
    </Section>
  )
}
const pictures = ({ trademark_image, logo, chain }: BrandDetail['task']['body']) =>
  [trademark_image, logo, ...chain.map(link => link.image)].filter(Boolean)

/** What a merchant applies for of a brand, in full. */
export const BrandApplication = ({ of, me, stale, zoom, setZoom }: Viewed<BrandDetail>) => {
  const say = useSay()
  const { task } = of
  const images = [...new Set(pictures(task.body))]
  return (
    <SubmissionFrame
      task={task}
      me={me}
      viewers={of.viewers}
      stale={stale}
      told={
        <>
          <span>
            {say(applicationKinds[task.kind])}
            {task.round > 1 && say([' · 第 {n} 轮', ' · round {n}'], { n: task.round })}
          </span>
          <span>{task.merchant_name}</span>
          <span>
            {task.city_name} · BD {task.bd_name || say(['无', 'none'])}
          </span>
          {task.submitter_name && (
            <span>{say(['由 {who} 提交', 'By {who}'], { who: task.submitter_name })}</span>
          )}
        </>
      }
    >
      <Findings
        of={of.findings}
        text={brandRuleText}
        fieldOf={field =>
          allBrandFields.includes(field as BrandField)
            ? brandFields[field as BrandField]
            : undefined
        }
      />
      <div className="a-columns">
        <div>
          <Fields of={of} />
        </div>
        <div>
          {images.length > 0 && (
            <Pictures
              title={['注册证、标志与授权书', 'Certificate, logo and papers']}
              images={images}
              zoom={zoom}
              setZoom={setZoom}
            />
          )}
          <Alike of={of} />
          <Rounds
            of={of.rounds}
            codes={brandRefuseCodes}
            what={one =>
              say(['{kind} · 第 {n} 轮', '{kind}, round {n}'], {
                kind: say(applicationKinds[one.kind]),
                n: one.round,
              })
            }
          />
        </div>
      </div>
    </SubmissionFrame>
  )
}
