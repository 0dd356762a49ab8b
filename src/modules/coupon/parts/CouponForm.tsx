import { useMemo, useState } from 'react'
import { useDispatch } from 'react-redux'
import { to } from '#commands/command.ts'
import { couponFormActions, mallCouponFormActions } from '#commands/coupon/coupons.ts'
import {
  couponCopy,
  couponEdit,
  coupons,
  mallCouponForm,
  mallCoupons,
} from '#commands/pages/coupon.ts'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { copiedName, couponCan, shifted } from '#src/areas/coupon/couponRules.ts'
import { couponStates } from '#src/areas/mall/recommend.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm, useRecordForm } from '#src/kit/formpage.tsx'
import { Badge } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { callsIn, type CouponWhole } from '../contract/coupon.ts'
import { couponAsks } from './asks.ts'
import { Beside, Changed, Dead, Locked, partIds, showPart } from './beside.tsx'
import { CouponFacts } from './CouponFacts.tsx'
import { formParts, namesHere, openAsks, writtenOf, type CouponAnswers } from './written.ts'

const listOf = (scope: CouponScope) => (scope === 'local' ? coupons : mallCoupons)
const editAt = (scope: CouponScope, id: number): string =>
  scope === 'local' ? to(couponEdit, { id }) : to(mallCouponForm, { id })
const copyAt = (scope: CouponScope, id: number): string =>
  scope === 'local' ? to(couponCopy, { id }) : to(mallCouponForm, { copy: id })
const actionsOf = (scope: CouponScope) =>
  scope === 'local' ? couponFormActions : mallCouponFormActions

/**
 * The answers that a copy begins with: other times and another name, and a budget that is agreed
 * anew.
 */
const asCopy = (of: CouponWhole): CouponWhole => {
  const late = Math.max(0, unixNow() - of.claim_start_at)
  return {
    ...shifted(of, Math.ceil(late / DAY) * DAY),
    name: copiedName(of.name),
    budget_cents: null,
  }
}
/** How a draft stands: why it was refused, what it was copied from. */
const Standing = ({
  now,
  from,
}: {
  now: CouponWhole | undefined
  from: CouponWhole | undefined
}) => {
  const say = useSay()
  if (now?.status === 'rejected')
    return (
      <Badge tone="bad" title={now.reason}>
        {say(['被驳回：{why}', 'Rejected: {why}'], { why: now.reason || '—' })}
      </Badge>
    )
  if (from)
    return (
      <span className="m-muted">
        {say(['复制自“{name}”', 'A copy of “{name}”'], { name: from.name })}
      </span>
    )
  return null
}

type Draft = {
  scope: CouponScope
  now: CouponWhole | undefined
  /** The coupon that a copy was made of. */
  source: CouponWhole | undefined
}
const useCouponDraft = ({ scope, now, source }: Draft) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const calls = callsIn(scope)
  const from = useMemo(() => source && asCopy(source), [source])
  const asks = useMemo(() => couponAsks({ scope, from }), [scope, from])
  const [save] = useWrite(calls.saveDraft)
  const [send] = useWrite(calls.send)
  const draft = useDraftForm({
    now,
    asks,
    draft: `coupon-form:${scope}:${now?.id ?? `of${source?.id ?? 0}`}`,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) => {
      const answers = raw as CouponAnswers
      const body = {
        ...held,
        ...writtenOf(answers),
        zero_confirmed: answers.zero_confirmed ?? false,
        ...(source && { copy_from_id: source.id }),
      }
      return (isSent ? send : save)(body, { quiet: true })
    },
    done: (id, { isNew, isSent }) => {
      if (isSent) open(listOf(scope).path, 'here')
      else if (isNew) open(editAt(scope, id), 'here')
    },
  })
  return { ...draft, from }
}
/** The actions that move all answers of a form together. */
const useMoves = (scope: CouponScope, form: FormState, dead: ReadonlySet<number>) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const actions = actionsOf(scope)
  const answers = form.answers as CouponAnswers | undefined
  useAnswered(actions.shiftDates, ({ days }) => {
    if (!answers) return
    const by = (days as number) * DAY
    const later = (at: number | undefined) => at && at + by
    form.fill({
      claim_start_at: later(answers.claim_start_at),
      claim_end_at: later(answers.claim_end_at),
      use_start_at: later(answers.use_start_at),
      use_end_at: later(answers.use_end_at),
    })
    toast(say(['时间已平移 {n} 天', 'Dates shifted by {n} days'], { n: days as number }), 'success')
  })
  useAction(actions.dropInvalid, () => {
    if (!answers) return
    const alive = (ids: number[] | undefined) => ids?.filter(id => !dead.has(id))
    const kind = answers.apply_kind ?? 'all'
    form.fill({
      ...(kind !== 'all' && { [kind]: alive(answers[kind]) }),
      exclude_ids: alive(answers.exclude_ids),
    })
    toast(
      dead.size > 0
        ? say(['已移除 {n} 个失效项', 'Invalid items removed: {n}'], { n: dead.size })
        : say(['没有失效项', 'No invalid items']),
      dead.size > 0 ? 'success' : 'none',
    )
  })
  useAction(actions.discard, form.reset)
  useAction(actions.pickScope, () => document.getElementById(form.idOf('apply_kind'))?.focus())
  useAction(actions.estimateCost, () => showPart(partIds.cost))
  useAction(actions.preview, () => showPart(partIds.phone))
}
/** Those of some questions that are asked now: one that is not leaves no gap. */
const shownOf = ({ asks, answers, rows }: FormState, names: readonly string[] = []) =>
  names.filter(name => asks[name]!.shown?.(answers, rows) ?? true)
type WrittenOf = {
  scope: CouponScope
  form: FormState
  dead: CouponWhole['dead']
  isCopy: boolean
}
/** The questions of the form, part by part. */
const Written = ({ scope, form, dead, isCopy }: WrittenOf) => {
  const say = useSay()
  return (
    <PageForm
      of={form}
      label={scope === 'local' ? say(['优惠券', 'Coupon']) : say(['商城券', 'E-mall coupon'])}
    >
      <Dead of={dead} />
      {formParts.map(part => (
        <fieldset key={part.title[0]}>
          <legend>{say(part.title)}</legend>
          <FormFields of={form} names={part.names} />
          <FormFields of={form} names={shownOf(form, part.wide)} wide />
        </fieldset>
      ))}
      {isCopy && (
        <p className="m-muted">
          {say([
            '时间已整体后移，预算须重新确认；领取、使用与审核记录不复制',
            'Dates are shifted and the budget must be confirmed again; claims, uses and audits aren’t copied',
          ])}
        </p>
      )}
    </PageForm>
  )
}
/** A draft, or a coupon that is not yet kept. */
const DraftForm = (of: Draft) => {
  const { scope, now, source } = of
  const say = useSay()
  const { open } = useWorkbench()
  const actions = actionsOf(scope)
  const { form, rows, sending, from } = useCouponDraft(of)
  const dead = (now ?? source)?.dead ?? []
  const [order_id, setOrder] = useState<number | undefined>(undefined)
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.save, sending(false))
  useAction(actions.submit, sending(true))
  useAction(actions.copyInstead, () => now && open(copyAt(scope, now.id), 'here'))
  useAnswered(actions.simulate, asked => setOrder(asked['order_id'] as number))
  useMoves(scope, form, new Set(dead.map(one => one.id)))
  useUnsaved(form)
  const answers = form.answers as CouponAnswers | undefined
  if (!answers) return <Loading lines={16} />
  const { withdraw: _, copyInstead, dropInvalid, ...usual } = actions
  const offered = [
    ...Object.values(usual),
    ...(now ? [copyInstead] : []),
    ...(dead.length > 0 ? [dropInvalid] : []),
  ]
  return (
    <FormPage
      actions={offered}
      rows={rows}
      notes={
        <>
          {now && <Badge>{say(couponStates[now.status])}</Badge>}
          <Standing now={now} from={source} />
          <FormNotes of={form} />
        </>
      }
      aside={<Beside scope={scope} answers={answers} order_id={order_id} />}
    >
      <Written scope={scope} form={form} dead={dead} isCopy={from !== undefined} />
    </FormPage>
  )
}

const useOpenForm = (scope: CouponScope, now: CouponWhole): FormState => {
  const say = useSay()
  const { toast } = useWorkbench()
  const dispatch = useDispatch()
  const calls = callsIn(scope)
  const asks = useMemo(() => openAsks(now.claimed_count), [now.claimed_count])
  const [save] = useWrite(calls.edit)
  return useRecordForm({
    page: listOf(scope),
    now,
    asks,
    draft: `coupon-open:${now.id}`,
    read: (id: number): Promise<CouponWhole> =>
      dispatchRead(dispatch as never, calls.detail, { id }, true),
    done: ['已保存', 'Saved'],
    send: async (raw, held) => {
      const of = raw as CouponAnswers
      const done = await save(
        {
          ...held,
          total: of.total!,
          per_member: of.per_member!,
          claim_end_at: of.claim_end_at!,
          recommend_text: of.recommend_text ?? '',
        },
        { quiet: true },
      )
      if (done.status === 'auditing')
        toast(say(['超出预算，已重新提交审核', 'Over budget: resubmitted for audit']), 'warning')
      return done
    },
  })
}
/** A coupon that was approved: what may still change of it, and what may not, and why. */
const OpenForm = ({ scope, now }: { scope: CouponScope; now: CouponWhole }) => {
  const say = useSay()
  const { open } = useWorkbench()
  const actions = actionsOf(scope)
  const rows = useMemo(() => [now], [now])
  const [submit] = useWrite(callsIn(scope).submit)
  const form = useOpenForm(scope, now)
  const isDraft = couponCan('submit', now.status) === true
  useSubject(useMemo(() => ({ rows }), [rows]))
  useUnsaved(form)
  useAction(actions.save, form.go)
  useAction(actions.discard, form.reset)
  useAction(actions.copyInstead, () => open(copyAt(scope, now.id), 'here'))
  useAction(actions.submit, () => {
    if (!isDraft) return
    void submit({ id: now.id, version: now.version }).then(
      () => open(listOf(scope).path, 'here'),
      () => {},
    )
  })
  if (!form.answers) return <Loading lines={10} />
  const { save: saves, submit: submits, copyInstead, discard } = actions
  return (
    <FormPage
      actions={isDraft ? [submits, saves, copyInstead, discard] : [saves, copyInstead, discard]}
      rows={rows}
      notes={
        <>
          <Badge>{say(couponStates[now.status])}</Badge>
          <b>{now.name}</b>
          <Standing now={now} from={undefined} />
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Changed of={now} />
          <CouponFacts of={now} />
        </>
      }
    >
      <div className="m-fp-forms">
        <PageForm of={form} label={say(['可修改的条款', 'Editable terms'])}>
          <fieldset>
            <legend>{say(['可修改', 'Editable'])}</legend>
            <FormFields of={form} names={Object.keys(form.asks)} />
          </fieldset>
        </PageForm>
        <Locked of={now} copy={copyAt(scope, now.id)} />
      </div>
    </FormPage>
  )
}
/** A coupon of which nothing may change now: it is in audit, has ended or is void. */
const ReadOnly = ({ scope, now }: { scope: CouponScope; now: CouponWhole }) => {
  const say = useSay()
  const { open, toast } = useWorkbench()
  const actions = actionsOf(scope)
  const rows = useMemo(() => [now], [now])
  const [withdraw] = useWrite(callsIn(scope).withdraw)
  const may = couponCan('edit', now.status)
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.copyInstead, () => open(copyAt(scope, now.id), 'here'))
  useAction(actions.withdraw, () => {
    void withdraw({ id: now.id, version: now.version }).then(
      () => toast(say(['已撤回，可继续修改', 'Withdrawn; you can edit it again']), 'success'),
      () => {},
    )
  })
  const isInAudit = couponCan('withdraw', now.status) === true
  return (
    <FormPage
      actions={isInAudit ? [actions.withdraw, actions.copyInstead] : [actions.copyInstead]}
      rows={rows}
      notes={
        <>
          <Badge>{say(couponStates[now.status])}</Badge>
          <b>{now.name}</b>
          {may !== true && <span className="m-muted">{say(may)}</span>}
        </>
      }
      aside={<Changed of={now} />}
    >
      <div className="m-fp-forms">
        <CouponFacts of={now} />
      </div>
    </FormPage>
  )
}

const numberOf = (typed: string | undefined): number | undefined => {
  const id = Number(typed)
  return Number.isInteger(id) && id > 0 ? id : undefined
}
/** The form at an address: a new coupon, one that is there, or a copy, in the state it stands in. */
export const CouponForm = ({
  scope,
  of,
}: {
  scope: CouponScope
  of: { id?: string | undefined; copy?: string | undefined }
}) => {
  const say = useSay()
  const named = of.id ?? of.copy
  const id = numberOf(named)
  const read = useRead(callsIn(scope).detail, id === undefined ? skipToken : { id })
  if (named === undefined) return <DraftForm scope={scope} now={undefined} source={undefined} />
  if (id === undefined) return <Empty title={say(['没有这张优惠券', 'There is no such coupon'])} />
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  const found = read.currentData ?? read.data
  if (found?.id !== id) return <Loading lines={16} />
  if (of.copy !== undefined) return <DraftForm scope={scope} now={undefined} source={found} />
  if (couponCan('edit', found.status) !== true) return <ReadOnly scope={scope} now={found} />
  return found.approved_at === null ? (
    <DraftForm scope={scope} now={found} source={undefined} />
  ) : (
    <OpenForm scope={scope} now={found} />
  )
}
