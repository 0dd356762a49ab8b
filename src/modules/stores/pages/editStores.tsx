import { useMemo, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { merchantForm } from '#commands/pages/shop.ts'
import { shopEdit as page, shopForm } from '#commands/pages/stores.ts'
import { shopEditActions as actions } from '#commands/stores/form.ts'
import { openStates } from '#src/areas/application/application.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { invoices, shopCan, shopFields, shopTypes } from '#src/areas/merchant/onlineShop.ts'
import { hoursWords } from '#src/areas/merchant/storeHours.ts'
import { comma } from '#src/domain/text.ts'
import { ChangeHistory, OpenChange } from '#src/kit/application-change.tsx'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useRecordForm } from '#src/kit/formpage.tsx'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { shopAdd } from '../contract/addStores.ts'
import { shopEdit as calls } from '../contract/editStores.ts'
import type { ShopProfile } from '../contract/form.ts'
import {
  auditedAsks,
  auditedOf,
  hoursInWords,
  hoursOf,
  liveAsks,
  liveOf,
  namesHere,
  type AuditedAnswers,
  type LiveAnswers,
} from '../parts/asks.ts'
import { LiveFields, Terms } from '../parts/beside.tsx'
import { ChangedHere, restoreHere } from '../parts/changed.tsx'

/** What holds at once, and what waits for an audit: two forms, each saved by itself. */
const useForms = (now: ShopProfile): { live: FormState; audited: FormState } => {
  const dispatch = useDispatch()
  const [save] = useWrite(calls.save)
  const [submit] = useWrite(calls.submitChange)
  const asks = useMemo(() => ({ live: liveAsks(true), audited: auditedAsks() }), [])
  const both = {
    page,
    now,
    as: namesHere,
    read: (id: number): Promise<ShopProfile> =>
      dispatchRead(dispatch as never, calls.detail, { id }, true),
  }
  const live = useRecordForm({
    ...both,
    asks: asks.live,
    given: hoursOf,
    words: hoursInWords,
    draft: `shop-live:${now.id}`,
    done: ['已保存，立即生效', 'Saved and in effect'],
    send: (raw, held) => save({ ...held, ...liveOf(raw as LiveAnswers) }, { quiet: true }),
  })
  const audited = useRecordForm({
    ...both,
    asks: asks.audited,
    draft: `shop-audited:${now.id}`,
    done: ['已提交变更审核，通过前线上资料不变', 'Submitted: takes effect once approved'],
    send: (raw, held) => {
      const answers = raw as unknown as AuditedAnswers
      return submit(
        { ...held, ...auditedOf(answers, now.commission_bp !== undefined) },
        { quiet: true },
      )
    },
  })
  return { live, audited }
}
const Head = ({ title, hint, of }: { title: string; hint: string; of: FormState }) => (
  <h2>
    {title}
    <span className="m-muted">{hint}</span>
    <FormNotes of={of} />
  </h2>
)
/** A shop that nobody may change now, as it stands. */
const ReadOnly = ({ of }: { of: ShopProfile }) => {
  const say = useSay()
  const back = of.return_to
  const facts: readonly (readonly [keyof typeof shopFields, string])[] = [
    ['shop_type', say(shopTypes[of.shop_type])],
    ['category_ids', of.categories.map(one => one.name).join(say(comma))],
    ['brand_id', of.brand_name],
    ['phone', of.phone],
    ['open_hours', hoursWords(of.hours)],
    ['ship_area', of.ship_area],
    ['freight_template_id', of.freight_name],
    ['return_address_id', back ? `${back.area}${back.address} ${back.name} ${back.phone}` : ''],
    ['invoice', say(invoices[of.invoice])],
  ]
  return (
    <Section title={of.name} aside={<Badge>{say(storeStates[of.status])}</Badge>}>
      <Facts>
        {facts.map(([field, value]) => (
          <Fact key={field} wide label={say(shopFields[field])}>
            {value || '—'}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
const Go = ({ address, children }: { address: string; children: ReactNode }) => {
  const { open } = useWorkbench()
  return (
    <a
      href={address}
      onClick={event => {
        event.preventDefault()
        open(address, 'beside')
      }}
    >
      {children}
    </a>
  )
}
const isOpen = (state: string) => (openStates as readonly string[]).includes(state)
const mayChange = (of: ShopProfile) => shopCan('edit', of)
/** True while something that it applies for is being decided. */
const waits = ({ application }: ShopProfile) =>
  application !== null && application.state !== 'need_more'
type Forms = { now: ShopProfile; live: FormState; audited: FormState }
/** What is changed here, what is applied for, and what was before. */
const Beside = ({ now, live, audited }: Forms) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = mayChange(now) === true
  const isWaiting = waits(now)
  const asked = audited.answers as unknown as AuditedAnswers | undefined
  const standing = useRead(shopAdd.standing, {
    merchant_id: now.merchant_id,
    category_ids: asked?.categories ?? [],
  }).data
  const history = useRead(
    calls.viewHistory,
    me.can(calls.viewHistory.permit) ? { id: now.id } : skipToken,
  )
  return (
    <>
      {may && <ChangedHere of={isWaiting ? [live] : [live, audited]} />}
      {now.application && <OpenChange of={now.application} names={shopFields} />}
      {may && !isWaiting && <Terms standing={standing} />}
      <Section title={say(['执照与结算账户', 'Licence and account'])}>
        <p className="m-muted">
          {say(
            [
              '属于商户「{name}」，在商户资料中提交变更审核',
              'Owned by {name}; submit changes there',
            ],
            { name: now.merchant_name },
          )}
        </p>
        {me.can(merchantForm.permit) && (
          <Go address={to(merchantForm, { id: now.merchant_id })}>
            {say(['打开商户资料', 'Open the merchant'])}
          </Go>
        )}
      </Section>
      {history.data && (
        <ChangeHistory
          of={history.data.list.filter(one => !isOpen(one.state))}
          names={shopFields}
        />
      )}
    </>
  )
}
const Shop = ({ now }: { now: ShopProfile }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { live, audited } = useForms(now)
  const [withdraw] = useWrite(calls.withdrawChange)
  const rows = useMemo(() => [now], [now])
  const may = mayChange(now)
  const isWaiting = waits(now)
  const answers = live.answers as LiveAnswers | undefined
  useSubject(useMemo(() => ({ rows }), [rows]))
  useUnsaved(live)
  useUnsaved(audited)
  useAction(actions.save, live.go)
  useAction(actions.submitChange, audited.go)
  useAction(actions.withdrawChange, () => {
    void withdraw({ id: now.id, version: now.version }).then(
      () => toast(say(['申请已撤回', 'Withdrawn']), 'success'),
      () => {},
    )
  })
  useAction(actions.restoreField, () => {
    if (!restoreHere(live) && !restoreHere(audited))
      toast(say(['先把光标放到已修改的字段', 'Go to a field that was changed']), 'warning')
  })
  useAction(actions.viewHistory, () => {
    const part = document.getElementById('m-change-history')
    part?.scrollIntoView({ block: 'nearest' })
    part?.focus()
  })
  const offered = Object.values(actions).filter(
    one =>
      ((one !== actions.save && one !== actions.restoreField) || may === true) &&
      (one !== actions.submitChange || (may === true && !isWaiting)),
  )
  if (!answers || !audited.answers) return <Loading lines={16} />
  return (
    <FormPage
      actions={offered}
      rows={rows}
      notes={
        <>
          <Badge>{say(storeStates[now.status])}</Badge>
          <b>{now.name}</b>
          {may !== true && <span className="m-muted">{say(may)}</span>}
          {now.status === 'draft' && (
            <Go address={to(shopForm, { id: now.id })}>
              {say(['继续填写草稿', 'Continue the draft'])}
            </Go>
          )}
        </>
      }
      aside={<Beside now={now} live={live} audited={audited} />}
    >
      <div className="m-fp-forms">
        {may !== true && <ReadOnly of={now} />}
        {may === true && (
          <PageForm of={live} label={say(['立即生效', 'Takes effect at once'])}>
            <Head
              title={say(['立即生效', 'Takes effect at once'])}
              hint={say(['保存后对新订单生效', 'For new orders, once saved'])}
              of={live}
            />
            <LiveFields form={live} answers={answers} />
          </PageForm>
        )}
        {may === true && !isWaiting && (
          <PageForm of={audited} label={say(['须审核', 'Needs audit'])}>
            <Head
              title={say(['须审核', 'Needs audit'])}
              hint={say(['通过前线上资料不变', 'Live data stays until approved'])}
              of={audited}
            />
            <fieldset>
              <FormFields of={audited} names={['name', 'brand_id']} />
              <FormFields of={audited} names={['categories']} wide />
              <FormFields of={audited} names={['rate', 'commission_reason']} />
            </fieldset>
          </PageForm>
        )}
      </div>
    </FormPage>
  )
}

/** An online shop: what holds at once and what an audit waits for, each saved by itself. */
export default function ShopEditPage() {
  const search = useSearch()
  const id = Number(new URLSearchParams(search).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  if (detail.error && !detail.data) return <Failed error={detail.error} retry={detail.refetch} />
  const now = detail.currentData ?? detail.data
  return now?.id === id ? <Shop key={id} now={now} /> : <Loading lines={16} />
}
