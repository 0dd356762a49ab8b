import type { ReactNode } from 'react'
import {
  applicationKinds,
  askedItems,
  bodyFields,
  fieldsOfKind,
  isOfShop,
  refuseCodes,
  type ApplicationKind,
  type BodyField,
} from '#src/areas/application/application.ts'
import { fieldText } from '#src/areas/application/fieldText.ts'
import { applicationRuleText } from '#src/areas/application/findings.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { bankKinds, merchantStates, settleCycles } from '#src/areas/merchant/merchant.ts'
import { shopFields } from '#src/areas/merchant/onlineShop.ts'
import { storeFields } from '#src/areas/merchant/storeForm.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { ChangeLines } from '#src/kit/application-change.tsx'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import {
  Expiry,
  FactChange,
  Findings,
  Pictures,
  Rounds,
  SubmissionFrame,
} from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ApplicationDetail, ShownApplication } from '../contract/audit.ts'
import { LicenceBeside } from './licence.tsx'

type Say = ReturnType<typeof useSay>
const groups: readonly { title: Text; fields: readonly BodyField[] }[] = [
  { title: ['主体与法人', 'Legal entity'], fields: fieldsOfKind.licence },
  { title: ['经营与联系', 'Business and contact'], fields: fieldsOfKind.profile },
  { title: ['结算账户', 'Settlement account'], fields: fieldsOfKind.bank },
  {
    title: ['合同', 'Contract'],
    fields: [
      'contract_no',
      'commission_bp',
      'contract_start_at',
      'contract_end_at',
      'deposit_cents',
    ],
  },
]
const wide: ReadonlySet<BodyField> = new Set(['name', 'license_no', 'category_ids', 'licenses'])

/** A field's value in words; undefined where the person may not see it, or there is none. */
const wordsOf = (
  field: BodyField,
  of: ShownApplication,
  { categories }: ApplicationDetail,
  say: Say,
): ReactNode => {
  const value = of[field]
  if (value === undefined) return undefined
  if (value === null || value === '')
    return field === 'license_expire_at' ? say(['长期', 'No expiry']) : '—'
  switch (field) {
    case 'category_ids':
      return of.category_ids!.map(id => categories[id] ?? id).join(say(comma)) || '—'
    case 'licenses':
      return of.licenses!.length === 0
        ? '—'
        : of.licenses!.map(one => (
            <div key={one.name}>
              {one.name} <span className="m-num">{one.no ?? '—'}</span>{' '}
              <Expiry at={one.expire_at} />
            </div>
          ))
    case 'bank_kind':
      return say(bankKinds[of.bank_kind!])
    case 'settle_cycle':
      return say(settleCycles[of.settle_cycle!])
    case 'commission_bp':
      return percent(of.commission_bp!)
    case 'deposit_cents':
      return `¥${yuan(of.deposit_cents!)}`
    case 'license_expire_at':
      return <Expiry at={of.license_expire_at!} />
    case 'contract_start_at':
    case 'contract_end_at':
      return dateOf(value as number)
    default:
      return String(value as string | number)
  }
}
/** Each field as submitted; what stands there now, or stood there in the last round, struck out beside it. */
const Fields = ({ of }: { of: ApplicationDetail }) => {
  const say = useSay()
  const before = { ...of.last, ...of.live }
  const differs = (field: BodyField) => field in before
  // What is to be otherwise comes first.
  const isTouched = (group: (typeof groups)[number]) => group.fields.some(differs)
  const ordered = [...groups.filter(isTouched), ...groups.filter(group => !isTouched(group))]
  return ordered.map(({ title, fields }) => {
    const shown = fields.filter(field => field !== 'license_image')
    return (
      <Section key={title[1]} title={say(title)}>
        <dl className="m-facts">
          {shown.map(field => {
            const now = wordsOf(field, of.body, of, say) ?? '—'
            const was = differs(field) ? wordsOf(field, before, of, say) : undefined
            const label = say(bodyFields[field])
            return (
              <FactChange key={field} label={label} now={now} was={was} wide={wide.has(field)} />
            )
          })}
        </dl>
      </Section>
    )
  })
}

const sameness = {
  licence: ['信用代码', 'Credit code'],
  name: ['名称', 'Name'],
  phone: ['电话', 'Phone'],
  bank: ['账户', 'Account'],
} as const satisfies Record<string, Text>
/** Others that may be the same merchant, and by what. */
const Twins = ({ of }: { of: ApplicationDetail['twins'] }) => {
  const say = useSay()
  return (
    <Section title={say(['重复检查', 'Duplicates'])}>
      {of.length === 0 ? (
        <p className="m-muted">
          {say([
            '名称、电话、信用代码与账户均无重复',
            'No duplicate name, phone, credit code or account',
          ])}
        </p>
      ) : (
        <ul className="sp-twins">
          {of.map(one => (
            <li key={one.id}>
              <Badge tone={one.status === 'terminated' ? 'plain' : 'warn'}>
                {one.by.map(by => say(sameness[by])).join(say(comma))}
              </Badge>
              <span>
                {one.name}{' '}
                <span className="m-muted">
                  {say(merchantStates[one.status])} · BD {one.bd_name || '—'}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

type OfStore = NonNullable<ApplicationDetail['store']>
/** A store as it would be, what stands there now struck out beside it. */
const StoreFields = ({
  of: { body, live, last, metres },
  kind,
}: {
  of: OfStore
  kind: ApplicationKind
}) => {
  const say = useSay()
  const names = isOfShop(kind) ? shopFields : storeFields
  const before = { ...last, ...live }
  const touched = Object.keys(body).filter(field => field in before)
  const rest = Object.keys(body).filter(field => !(field in before))
  const pick = (fields: readonly string[]) =>
    Object.fromEntries(fields.map(field => [field, body[field]!]))
  return (
    <>
      {touched.length > 0 && (
        <Section title={say(['变更内容', 'Changes'])}>
          <ChangeLines names={names} body={pick(touched)} live={before} />
        </Section>
      )}
      <Section title={say(isOfShop(kind) ? ['网店', 'Online shop'] : ['门店', 'Store'])}>
        <ChangeLines names={names} body={pick(rest)} live={{}} />
        {metres !== null && (
          <p className="m-muted">
            {say(['坐标距商场 {m} 米', 'The pin is {m} m from the mall'], { m: metres })}
          </p>
        )}
      </Section>
    </>
  )
}
/** Stores near by, and those that are called alike. */
const NearTwins = ({ of: { near }, kind }: { of: OfStore; kind: ApplicationKind }) => {
  const say = useSay()
  return (
    <Section
      title={say(
        isOfShop(kind)
          ? ['同名网店', 'Online shops with this name']
          : ['200 米内或名称相近', 'Within 200 m or similar name'],
      )}
    >
      {near.length === 0 ? (
        <p className="m-muted">{say(['没有发现重复', 'No duplicates found'])}</p>
      ) : (
        <ul className="sp-twins">
          {near.map(one => (
            <li key={one.id}>
              <Badge tone="warn">
                {one.metres === null
                  ? say(isOfShop(kind) ? ['同名', 'Same name'] : ['名称相近', 'Similar name'])
                  : say(['{n} 米', '{n} m'], { n: one.metres })}
              </Badge>
              <span>
                {one.name}{' '}
                <span className="m-muted">
                  {say(storeStates[one.status])} · {one.merchant_name}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** The merchant that applies. */
const Owner = ({ of }: { of: ApplicationDetail }) => {
  const say = useSay()
  return (
    <Section title={say(['商户', 'Merchant'])}>
      <Facts>
        <Fact label={say(['商户号', 'Number'])}>{of.merchant.merchant_no}</Fact>
        <Fact label={say(['当前状态', 'State now'])}>
          {say(merchantStates[of.merchant.status])}
        </Fact>
        <Fact label={say(['门店', 'Stores'])}>{of.merchant.store_count}</Fact>
        <Fact label={say(['类目要求资质', 'Licences required'])}>
          {(of.store ?? of).needed.join(say(comma)) || '—'}
        </Fact>
      </Facts>
    </Section>
  )
}

type Of = {
  of: ApplicationDetail
  me: number
  stale: boolean
  zoom: number | undefined
  setZoom: (at: number | undefined) => void
}
/** What a merchant applies for, in full: what the rules say, what is to be otherwise, who asks. */
export const ApplicationView = ({ of, me, stale, zoom, setZoom }: Of) => {
  const say = useSay()
  const { task, body, live } = of
  const picture = body.license_image
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
        text={applicationRuleText}
        fieldOf={field => fieldText(task.kind, field)}
      />
      {task.asked.length > 0 && (
        <div className="sp-asked">
          {say(['已要求补充：', 'Requested: '])}
          {task.asked.map(item => say(askedItems[item])).join(say(comma))}
        </div>
      )}
      <div className="a-columns">
        <div>{of.store ? <StoreFields of={of.store} kind={task.kind} /> : <Fields of={of} />}</div>
        <div>
          {of.store && of.store.images.length > 0 && (
            <Pictures
              title={isOfShop(task.kind) ? ['店标', 'Logo'] : ['门店图片', 'Pictures']}
              images={of.store.images}
              zoom={zoom}
              setZoom={setZoom}
            />
          )}
          {!of.store && picture && (
            <Pictures
              title={['营业执照', 'Licence']}
              images={live?.license_image ? [picture, live.license_image] : [picture]}
              {...(live?.license_image && { before: [live.license_image] })}
              zoom={zoom}
              setZoom={setZoom}
            />
          )}
          {!of.store && <LicenceBeside of={of} />}
          {of.store ? <NearTwins of={of.store} kind={task.kind} /> : <Twins of={of.twins} />}
          <Owner of={of} />
          <Rounds
            of={of.rounds}
            codes={refuseCodes}
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
