import { useEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { storeEdit, storeForm } from '#commands/pages/shop.ts'
import { storeFormActions as actions } from '#commands/shop/storeForm.ts'
import { askedItems } from '#src/areas/application/application.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { areHours, noHours } from '#src/areas/merchant/storeHours.ts'
import { missingOfStore, storeProofs } from '#src/areas/merchant/storeProofs.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm } from '#src/kit/formpage.tsx'
import { HoursField } from '#src/kit/hours.tsx'
import { useCities } from '#src/kit/places.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Section } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { storeAdd as calls } from '../../contract/storeAdd.ts'
import type { StoreProfile } from '../../contract/storeForm.ts'
import {
  auditedAsks,
  auditedOf,
  hoursInWords,
  hoursOf,
  liveAsks,
  liveOf,
  namesHere,
  newAsks,
  pinFrom,
  pinWords,
  type MallPin,
  type NewAnswers,
} from '../../parts/storeAsks.ts'
import { Licences, NearStores, StorePlace } from '../../parts/storePlace.tsx'
import '../../parts/shop.css'

type Facilities = Result<typeof calls.facilities>['list']
/** What the audit has to do with the draft: what was asked for, or why it was refused. */
const Standing = ({ of: { status, status_reason, application } }: { of: StoreProfile }) => {
  const say = useSay()
  if (application?.state === 'need_more')
    return (
      <Badge tone="warn" title={application.reason}>
        {say(['要求补充：{items}。{why}', 'Requested {items}. {why}'], {
          items: application.asked.map(item => say(askedItems[item])).join(say(comma)),
          why: application.reason,
        })}
      </Badge>
    )
  if (status === 'draft' && status_reason)
    return (
      <Badge tone="bad" title={status_reason}>
        {say(['被驳回：{why}', 'Rejected: {why}'], { why: status_reason })}
      </Badge>
    )
  return status === 'draft' ? null : (
    <span className="m-muted">
      {say(['已提交，审核结束前不能修改', 'Submitted; can’t be changed until decided'])}
    </span>
  )
}
/** What is still missing of the draft. */
const Missing = ({ of }: { of: NewAnswers }) => {
  const say = useSay()
  const missing = missingOfStore({
    address: of.address ?? '',
    pin: of.pin ?? null,
    phone: of.phone ?? '',
    has_hours: areHours(of.hours ?? noHours),
    images: of.images ?? [],
  })
  return (
    <Section title={say(['资料清单', 'Checklist'])}>
      {missing.length === 0 ? (
        <Badge tone="good">{say(['资料齐全', 'Complete'])}</Badge>
      ) : (
        <div className="sp-missing">
          {missing.map(key => (
            <Badge key={key} tone="warn">
              {say(storeProofs[key])}
            </Badge>
          ))}
        </div>
      )}
    </Section>
  )
}
/** What is sent of the answers. */
const bodyOf = (of: NewAnswers) => ({
  merchant_id: of.merchant_id,
  city_id: Number(of.city),
  ...auditedOf(of),
  ...(of.phone && { phone: of.phone }),
  ...liveOf(of),
})
const givenFrom = (rows: readonly StoreProfile[]) => ({ ...pinFrom(rows), ...hoursOf(rows) })
const words = { ...pinWords, ...hoursInWords }

type Known = {
  now: StoreProfile | undefined
  cities: readonly { id: number; city_name: string }[]
  facilities: Facilities
}
/** The form of a new store, and what it is sent for. */
const useStoreForm = ({ now, cities, facilities }: Known) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const [mall, setMall] = useState<MallPin>(undefined)
  const asks = useMemo(
    () => ({ ...newAsks(cities), ...auditedAsks(mall), ...liveAsks(facilities, false) }),
    [cities, facilities, mall],
  )
  const [save] = useWrite(calls.saveDraft)
  const [send] = useWrite(calls.submit)
  const made = useDraftForm({
    now,
    asks,
    given: givenFrom,
    words,
    draft: `store-form:${now?.id ?? 0}`,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) => {
      const answers = raw as unknown as NewAnswers
      const body = { ...held, ...bodyOf(answers) }
      return isSent
        ? send({ ...body, confirm_pin: answers.confirm_pin ?? false }, { quiet: true })
        : save(body, { quiet: true })
    },
    done: (id, { isNew, isSent }) => {
      if (isNew || isSent) open(to(isSent ? storeEdit : storeForm, { id }), 'here')
    },
  })
  return { ...made, setMall }
}
/** What stands round the answers: the mall's place, the licences, and stores that may be the same. */
const useBeside = (of: NewAnswers | undefined, now: StoreProfile | undefined) => {
  const city_id = Number(of?.city ?? 0)
  const standing = useRead(
    calls.standing,
    city_id > 0
      ? {
          city_id,
          ...(of?.mid && { mid: of.mid }),
          ...(of?.merchant_id && { merchant_id: of.merchant_id }),
          ...(of?.category_id && { category_id: of.category_id }),
        }
      : skipToken,
  )
  // A name is looked for when its writer rests.
  const [name] = useRested(of?.name ?? '')
  const near = useRead(
    calls.checkDuplicate,
    of && (name.length > 1 || of.pin)
      ? {
          ...(now && { but: now.id }),
          ...(of.merchant_id && { merchant_id: of.merchant_id }),
          ...(city_id > 0 && { city_id }),
          name,
          address: of.address ?? '',
          ...of.pin,
        }
      : skipToken,
  )
  return { standing: standing.data, near }
}
const Form = (known: Known) => {
  const { now, cities } = known
  const say = useSay()
  const { toast } = useWorkbench()
  const dispatch = useDispatch()
  const { form, rows, sending, setMall } = useStoreForm(known)
  const answers = form.answers as unknown as NewAnswers | undefined
  const { standing, near } = useBeside(answers, now)
  const place = useRef<HTMLDivElement>(null)
  const mall = standing?.mall
  useEffect(() => setMall(mall), [mall, setMall])
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.saveDraft, sending(false))
  useAction(actions.submit, sending(true))
  useAction(actions.locate, () => {
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.querySelector<HTMLElement>('[role=application], input')?.focus()
  })
  useAction(actions.checkDuplicate, () => {
    document.getElementById('sp-near')?.scrollIntoView({ block: 'nearest' })
    const n = near.data?.list.length ?? 0
    toast(
      n > 0
        ? say(['可能重复的门店有 {n} 家', '{n} may be the same'], { n })
        : say(['没有发现重复', 'No duplicates found']),
      n > 0 ? 'warning' : 'success',
    )
  })
  useAnswered(actions.copyFrom, ({ store_id: id }) => {
    void dispatchRead(dispatch as never, calls.detail, { id }, true).then(
      (of: StoreProfile) => {
        form.fill({
          merchant_id: of.merchant_id,
          category_id: of.category_id,
          brand_id: of.brand_id ?? undefined,
          hours: of.hours,
          price: of.avg_price_cents,
          facilities: of.facility_ids.map(String),
        })
        form.named('merchant_id', of.merchant_id, of.merchant_name)
        form.named('category_id', of.category_id, of.category_name)
        if (of.brand_id) form.named('brand_id', of.brand_id, of.brand_name)
        toast(say(['已复制「{name}」的资料', 'Copied from {name}'], { name: of.name }), 'success')
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
          <Missing of={answers} />
          <Licences of={standing} />
          <NearStores of={near.data} />
        </>
      }
    >
      <PageForm of={form} label={say(['新增门店', 'New store'])}>
        <fieldset>
          <legend>{say(['基本资料', 'Basics'])}</legend>
          <FormFields of={form} names={['merchant_id', 'name', 'category_id', 'brand_id']} />
        </fieldset>
        <StorePlace
          form={form}
          pin={answers.pin}
          standing={standing}
          near={near.data}
          city={cities.find(one => String(one.id) === answers.city)?.city_name ?? ''}
          at={place}
        />
        <fieldset>
          <legend>{say(['营业', 'Business'])}</legend>
          <FormFields of={form} names={['phone', 'price']} />
          <div className="m-fp-wide">
            <HoursField
              id={form.idOf('hours')}
              value={answers.hours ?? noHours}
              change={next => form.change('hours', next)}
              fault={form.refused?.fields?.['hours']}
            />
          </div>
          <FormFields of={form} names={['facilities', 'images']} wide />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}

/** A new store, or the draft of `?id=`. */
export default function StoreFormPage() {
  const search = useSearch()
  const id = Number(new URLSearchParams(search).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  const facilities = useRead(calls.facilities, {})
  const cities = useCities()
  const failed = [detail, facilities, cities].find(of => of.error && !of.data)
  if (failed) return <Failed error={failed.error!} retry={failed.refetch} />
  const of = id > 0 ? (detail.currentData ?? detail.data) : undefined
  if (!facilities.data || !cities.data || (id > 0 && of?.id !== id)) return <Loading lines={16} />
  return <Form key={id} now={of} cities={cities.data} facilities={facilities.data.list} />
}
