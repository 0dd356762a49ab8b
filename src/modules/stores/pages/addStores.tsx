import { useMemo } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { shopEdit, shopForm } from '#commands/pages/stores.ts'
import { shopFormActions as actions } from '#commands/stores/form.ts'
import { askedItems } from '#src/areas/application/application.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { comma } from '#src/domain/text.ts'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm } from '#src/kit/formpage.tsx'
import { useCities } from '#src/kit/places.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { shopAdd as calls } from '../contract/addStores.ts'
import type { ShopProfile } from '../contract/form.ts'
import {
  auditedAsks,
  bodyOf,
  hoursInWords,
  hoursOf,
  liveAsks,
  namesHere,
  newAsks,
  type NewAnswers,
} from '../parts/asks.ts'
import { Checklist, LiveFields, SameName, Terms } from '../parts/beside.tsx'

/** What the audit has to do with the draft: what was asked for, or why it was refused. */
const Standing = ({ of: { status, status_reason, application } }: { of: ShopProfile }) => {
  const say = useSay()
  if (application?.state === 'need_more')
    return (
      <Badge tone="warn" title={application.reason}>
        {say(['要求补充：{items}。{why}', 'Asked for {items}. {why}'], {
          items: application.asked.map(item => say(askedItems[item])).join(say(comma)),
          why: application.reason,
        })}
      </Badge>
    )
  if (status === 'draft' && status_reason)
    return (
      <Badge tone="bad" title={status_reason}>
        {say(['被驳回：{why}', 'Refused: {why}'], { why: status_reason })}
      </Badge>
    )
  return (
    <span className="m-muted">
      {status === 'draft'
        ? say(['草稿保留 30 天，只有你能看到', 'Only you see it; kept for 30 days'])
        : say(['已提交，审核结束前不能修改', 'Submitted: no edits until it is decided'])}
    </span>
  )
}

type Known = {
  now: ShopProfile | undefined
  cities: readonly { id: number; city_name: string }[]
}
const useShopForm = ({ now, cities }: Known) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const asks = useMemo(
    () => ({ ...newAsks(cities), ...auditedAsks(), ...liveAsks(false) }),
    [cities],
  )
  const [save] = useWrite(calls.saveDraft)
  const [send] = useWrite(calls.submit)
  return useDraftForm({
    now,
    asks,
    given: hoursOf,
    words: hoursInWords,
    draft: `shop-form:${now?.id ?? 0}`,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) =>
      (isSent ? send : save)({ ...held, ...bodyOf(raw as unknown as NewAnswers) }, { quiet: true }),
    done: (id, { isNew, isSent }) => {
      if (isNew || isSent) open(to(isSent ? shopEdit : shopForm, { id }), 'here')
    },
  })
}
/** What stands round the answers: what the categories ask for, and who is called the same. */
const useBeside = (of: NewAnswers | undefined, now: ShopProfile | undefined) => {
  const standing = useRead(
    calls.standing,
    of
      ? {
          ...(of.merchant_id && { merchant_id: of.merchant_id }),
          category_ids: of.categories ?? [],
          ...(of.shop_type === 'self_run' && of.mid && { mid: of.mid }),
          ...(now && { but: now.id }),
        }
      : skipToken,
  )
  // A name is looked for when its writer rests.
  const [name] = useRested(of?.name ?? '')
  const called = useRead(
    calls.checkName,
    name.length > 1
      ? {
          name,
          ...(of?.merchant_id && { merchant_id: of.merchant_id }),
          ...(now && { but: now.id }),
        }
      : skipToken,
  )
  return { standing: standing.data, called }
}
const Form = (known: Known) => {
  const { now } = known
  const say = useSay()
  const { toast } = useWorkbench()
  const dispatch = useDispatch()
  const { form, rows, sending } = useShopForm(known)
  const answers = form.answers as unknown as NewAnswers | undefined
  const { standing, called } = useBeside(answers, now)
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.saveDraft, sending(false))
  useAction(actions.submit, sending(true))
  useAction(actions.pickMerchant, () => document.getElementById(form.idOf('merchant_id'))?.focus())
  useAction(actions.checkName, () => {
    document.getElementById('os-called')?.scrollIntoView({ block: 'nearest' })
    const taken = called.data?.same
    toast(
      taken
        ? say(['该商户已有同名网店', 'The merchant has a shop of this name'])
        : say(['该商户没有同名网店', 'The merchant has none of this name']),
      taken ? 'warning' : 'success',
    )
  })
  useAnswered(actions.importFromStore, ({ store_id }) => {
    void dispatchRead(dispatch as never, calls.importFromStore, { store_id }, true).then(
      of => {
        form.fill({
          merchant_id: of.merchant_id,
          city: String(of.city_id),
          name: of.name,
          brand_id: of.brand_id ?? undefined,
          logo: of.logo ? [of.logo] : [],
          phone: of.phone || undefined,
          hours: of.hours,
        })
        form.named('merchant_id', of.merchant_id, of.merchant_name)
        if (of.brand_id) form.named('brand_id', of.brand_id, of.brand_name)
        toast(say(['已带入「{name}」的资料', 'Copied from {name}'], { name: of.name }), 'success')
      },
      () => {},
    )
  })
  useUnsaved(form)
  if (!answers) return <Loading lines={16} />
  return (
    <FormPage
      actions={Object.values(actions)}
      rows={rows}
      notes={
        <>
          {now && <Badge>{say(storeStates[now.status])}</Badge>}
          {now && <Standing of={now} />}
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Checklist of={answers} standing={standing} />
          <Terms standing={standing} />
          <SameName of={called.data} />
        </>
      }
    >
      <PageForm of={form} label={say(['新增线上店铺', 'New online shop'])}>
        <fieldset>
          <legend>{say(['归属', 'Ownership'])}</legend>
          <FormFields of={form} names={['merchant_id', 'city', 'shop_type', 'mid']} />
        </fieldset>
        <fieldset>
          <legend>{say(['经营', 'Trade'])}</legend>
          <FormFields of={form} names={['name', 'brand_id']} />
          <FormFields of={form} names={['categories']} wide />
          <FormFields of={form} names={['rate', 'commission_reason']} />
        </fieldset>
        <LiveFields form={form} answers={answers} />
      </PageForm>
    </FormPage>
  )
}

/** A new online shop, or the draft of `?id=`. */
export default function ShopFormPage() {
  const search = useSearch()
  const id = Number(new URLSearchParams(search).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  const cities = useCities()
  const failed = [detail, cities].find(of => of.error && !of.data)
  if (failed) return <Failed error={failed.error!} retry={failed.refetch} />
  const of = id > 0 ? (detail.currentData ?? detail.data) : undefined
  if (!cities.data || (id > 0 && of?.id !== id)) return <Loading lines={16} />
  return <Form key={id} now={of} cities={cities.data} />
}
