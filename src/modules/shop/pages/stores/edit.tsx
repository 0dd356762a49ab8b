import { useEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { storeEdit as page, storeForm } from '#commands/pages/shop.ts'
import { storeEditActions as actions } from '#commands/shop/storeForm.ts'
import { openStates } from '#src/areas/application/application.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { storeCan } from '#src/areas/merchant/store.ts'
import { picturesFault, storeFields } from '#src/areas/merchant/storeForm.ts'
import { hoursWords, noHours } from '#src/areas/merchant/storeHours.ts'
import type { Result } from '#src/contract/call.ts'
import { ChangeHistory, OpenChange } from '#src/kit/application-change.tsx'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormField, FormNotes, useUnsaved } from '#src/kit/form.tsx'
import { FormPage, PageForm, useRecordForm } from '#src/kit/formpage.tsx'
import { HoursField } from '#src/kit/hours.tsx'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { storeAdd } from '../../contract/storeAdd.ts'
import { storeEdit as calls } from '../../contract/storeEdit.ts'
import type { StoreProfile } from '../../contract/storeForm.ts'
import {
  auditedAsks,
  auditedOf,
  hoursInWords,
  hoursOf,
  liveAsks,
  liveOf,
  namesHere,
  pinFrom,
  pinWords,
  type AuditedAnswers,
  type LiveAnswers,
  type MallPin,
} from '../../parts/storeAsks.ts'
import { ImpactOf } from '../../parts/storeBeside.tsx'
import { Licences, StorePlace } from '../../parts/storePlace.tsx'
import '../../parts/shop.css'

type Facilities = Result<typeof storeAdd.facilities>['list']
/** What both forms of a store have in common. */
const useStoreForm = (
  now: StoreProfile,
  name: 'live' | 'audited',
  of: Omit<
    Parameters<typeof useRecordForm<StoreProfile>>[0],
    'page' | 'now' | 'draft' | 'as' | 'read'
  >,
) => {
  const dispatch = useDispatch()
  return useRecordForm({
    ...of,
    page,
    now,
    draft: `store-${name}:${now.id}`,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
  })
}

/** What customers are told: saved at once. */
const LiveForm = ({ now, facilities }: { now: StoreProfile; facilities: Facilities }) => {
  const say = useSay()
  const [save] = useWrite(calls.save)
  const asks = useMemo(() => liveAsks(facilities, true), [facilities])
  const form = useStoreForm(now, 'live', {
    asks,
    given: hoursOf,
    words: hoursInWords,
    done: ['已保存，立即生效', 'Saved and in effect'],
    send: (raw, held) => {
      const answers = raw as unknown as LiveAnswers
      return save({ ...held, phone: answers.phone ?? '', ...liveOf(answers) }, { quiet: true })
    },
  })
  useAction(actions.save, form.go)
  useUnsaved(form)
  const answers = form.answers as unknown as LiveAnswers | undefined
  if (!answers) return <Loading lines={8} />
  const few = picturesFault(answers.images ?? [], now.images)
  return (
    <PageForm of={form} label={say(['立即生效', 'Takes effect now'])}>
      <h2>
        {say(['立即生效', 'Takes effect now'])}
        <span className="m-muted">
          {say(['保存后顾客马上看到', 'Customers see it once saved'])}
        </span>
        <FormNotes of={form} />
      </h2>
      <fieldset>
        {['phone', 'price'].map(name => (
          <FormField key={name} of={form} name={name} />
        ))}
        <div className="m-fp-wide">
          <HoursField
            id={form.idOf('hours')}
            value={answers.hours ?? noHours}
            change={next => form.change('hours', next)}
            fault={form.refused?.fields?.['hours']}
          />
        </div>
        <div className="m-fp-wide">
          <FormField of={form} name="facilities" />
        </div>
        <div className="m-fp-wide">
          <FormField of={form} name="images" />
          {few && (
            <div className="m-error" role="alert">
              {say(few)}
            </div>
          )}
        </div>
      </fieldset>
    </PageForm>
  )
}

const isOpen = (state: string) => (openStates as readonly string[]).includes(state)
type Chosen = Pick<AuditedAnswers, 'category_id' | 'mid'>
type Auditing = { now: StoreProfile; chose: (of: Chosen) => void }
/** What waits for an audit, while the old values stay live. */
const AuditedForm = ({ now, chose }: Auditing) => {
  const say = useSay()
  const [send] = useWrite(calls.submitChange)
  const [mall, setMall] = useState<MallPin>(undefined)
  const asks = useMemo(() => auditedAsks(mall), [mall])
  const place = useRef<HTMLDivElement>(null)
  const form = useStoreForm(now, 'audited', {
    asks,
    given: pinFrom,
    words: pinWords,
    done: ['已提交变更审核，通过前线上资料不变', 'Submitted; the live data stays until approved'],
    send: (raw, held) => {
      const answers = raw as unknown as AuditedAnswers
      return send(
        { ...held, ...auditedOf(answers), confirm_pin: answers.confirm_pin ?? false },
        { quiet: true },
      )
    },
  })
  const answers = form.answers as unknown as AuditedAnswers | undefined
  const { category_id = now.category_id, mid = now.mid } = answers ?? {}
  const standing = useRead(storeAdd.standing, {
    city_id: now.city_id,
    merchant_id: now.merchant_id,
    category_id,
    ...(mid > 0 && { mid }),
  }).data
  const found = standing?.mall
  useEffect(() => setMall(found), [found])
  useEffect(() => chose({ category_id, mid }), [chose, category_id, mid])
  useAction(actions.submitChange, form.go)
  useUnsaved(form)
  if (!answers) return <Loading lines={8} />
  const set = (name: string) => <FormField key={name} of={form} name={name} />
  return (
    <PageForm of={form} label={say(['须审核', 'Needs audit'])}>
      <h2>
        {say(['须审核', 'Needs audit'])}
        <span className="m-muted">
          {say(['通过前线上资料不变', 'The live data stays until approved'])}
        </span>
        <FormNotes of={form} />
      </h2>
      <fieldset>{['name', 'category_id', 'brand_id'].map(set)}</fieldset>
      <StorePlace
        form={form}
        pin={answers.pin}
        standing={standing}
        city={now.city_name}
        at={place}
      />
      <Licences of={standing} />
    </PageForm>
  )
}

/** A store that nobody may change now, as it stands. */
const ReadOnly = ({ of }: { of: StoreProfile }) => {
  const say = useSay()
  const facts: readonly (readonly [string, string])[] = [
    [say(['分类', 'Category']), of.category_name],
    [say(['品牌', 'Brand']), of.brand_name],
    [say(['商场', 'Mall']), of.mid === 0 ? say(['商场外', 'Outside malls']) : of.mall_name],
    [say(['楼层门牌', 'Floor, door']), `${of.floor_name} ${of.door_no}`.trim()],
    [say(['地址', 'Address']), of.address],
    [say(['电话', 'Phone']), of.phone],
    [say(['营业时间', 'Hours']), hoursWords(of.hours)],
    [say(['图片', 'Pictures']), String(of.images.length)],
  ]
  return (
    <Section title={of.name} aside={<Badge>{say(storeStates[of.status])}</Badge>}>
      <Facts>
        {facts.map(([label, value]) => (
          <Fact key={label} wide label={label}>
            {value || '—'}
          </Fact>
        ))}
        <Fact label={say(['人均', 'Per person'])}>
          <Money cents={of.avg_price_cents} sign />
        </Fact>
      </Facts>
    </Section>
  )
}
const Store = ({ now, facilities }: { now: StoreProfile; facilities: Facilities }) => {
  const say = useSay()
  const { open, me, toast } = useWorkbench()
  const [withdraw] = useWrite(calls.withdrawChange)
  const rows = useMemo(() => [now], [now])
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const isWaiting = now.application !== null && now.application.state !== 'need_more'
  const may = storeCan('edit', now)
  const impact = useRead(
    calls.previewImpact,
    me.can(calls.previewImpact.permit) && may === true ? { id: now.id, ...chosen } : skipToken,
  )
  const history = useRead(
    calls.viewHistory,
    me.can(calls.viewHistory.permit) ? { id: now.id } : skipToken,
  )
  useSubject(useMemo(() => ({ rows }), [rows]))
  const go = (id: string) => {
    const part = document.getElementById(id)
    part?.scrollIntoView({ block: 'nearest' })
    part?.focus()
  }
  useAction(actions.withdrawChange, () => {
    void withdraw({ id: now.id, version: now.version }).then(
      () => toast(say(['申请已撤回', 'Withdrawn']), 'success'),
      () => {},
    )
  })
  useAction(actions.previewImpact, () => {
    impact.refetch()
    go('sp-impact')
  })
  useAction(actions.viewHistory, () => go('m-change-history'))
  const offered = Object.values(actions).filter(
    one =>
      ((one !== actions.save && one !== actions.previewImpact) || may === true) &&
      (one !== actions.submitChange || (may === true && !isWaiting)),
  )
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
            <a
              href={to(storeForm, { id: now.id })}
              onClick={event => {
                event.preventDefault()
                open(to(storeForm, { id: now.id }), 'here')
              }}
            >
              {say(['继续填写草稿', 'Continue the draft'])}
            </a>
          )}
        </>
      }
      aside={
        <>
          {now.application && <OpenChange of={now.application} names={storeFields} />}
          {may === true && <ImpactOf of={impact.data} />}
          {history.data && (
            <ChangeHistory
              of={history.data.list.filter(one => !isOpen(one.state))}
              names={storeFields}
            />
          )}
        </>
      }
    >
      <div className="m-fp-forms">
        {may === true ? (
          <>
            <LiveForm now={now} facilities={facilities} />
            {!isWaiting && <AuditedForm now={now} chose={setChosen} />}
          </>
        ) : (
          <ReadOnly of={now} />
        )}
      </div>
    </FormPage>
  )
}

/** A store in trade: what holds at once and what an audit waits for, each saved by itself. */
export default function StoreEditPage() {
  const search = useSearch()
  const id = Number(new URLSearchParams(search).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  const facilities = useRead(storeAdd.facilities, {})
  const failed = [detail, facilities].find(of => of.error && !of.data)
  if (failed) return <Failed error={failed.error!} retry={failed.refetch} />
  const now = detail.currentData ?? detail.data
  if (!facilities.data || now?.id !== id) return <Loading lines={16} />
  return <Store key={id} now={now} facilities={facilities.data.list} />
}
