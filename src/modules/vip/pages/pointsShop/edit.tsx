import { useMemo } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { pointsEditPage, pointsShopPage } from '#commands/pages/vip.ts'
import { goodsFormActions as actions } from '#commands/vip/pointsGoods.ts'
import { pointsKinds, type PointsKind } from '#src/areas/points/points.ts'
import { exchangeCost } from '#src/areas/points/shop.ts'
import { State } from '#src/kit/cells.tsx'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm } from '#src/kit/formpage.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { goodsEdit as calls, type GoodsProfile } from '../../contract/pointsGoods.ts'
import { pointsShop } from '../../contract/pointsShop.ts'
import {
  goodsBody,
  lookAsks,
  seenOf,
  termAsks,
  whatAsks,
  type GoodsAnswers,
} from '../../parts/goodsAsks.ts'
import { GoodsPhone, shopLooks } from '../../parts/goodsLooks.tsx'

type Begun = { zone_id: number; zone_name: string; kind: PointsKind }
type Known = { now: GoodsProfile | undefined; begun: Begun }
const useGoodsForm = ({ now, begun }: Known) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const asks = useMemo(() => ({ ...whatAsks(begun), ...termAsks(), ...lookAsks() }), [begun])
  const [save] = useWrite(calls.saveDraft)
  const [submit] = useWrite(calls.submit)
  return useDraftForm({
    now,
    asks,
    draft: `points-goods:${now?.id ?? 0}`,
    as: { level_min: 'level' },
    sent: ['已保存并上架', 'Saved and on sale'],
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) =>
      (isSent ? submit : save)(
        { ...held, ...goodsBody(raw as unknown as GoodsAnswers) },
        { quiet: true },
      ),
    done: (id, { isNew }) => {
      if (isNew) open(to(pointsEditPage, { id }), 'here')
    },
  })
}
/** What one exchange comes to for the platform. */
const Cost = ({ of }: { of: GoodsAnswers }) => {
  const say = useSay()
  const { cash_cents, cost_cents = 0 } = goodsBody(of)
  const cost = exchangeCost({ cash_cents, cost_cents })
  const points = of.points_price ?? 0
  return (
    <Section title={say(['单次兑换', 'Per redemption'])}>
      <Facts>
        <Fact label={say(['平台成本', 'Platform cost'])}>
          <Money cents={cost} sign />
        </Fact>
        <Fact label={say(['百分成本', 'Cost per 100 points'])}>
          {points > 0 ? <Money cents={Math.round((cost * 100) / points)} sign /> : '—'}
        </Fact>
      </Facts>
    </Section>
  )
}
const Form = (known: Known) => {
  const { now } = known
  const say = useSay()
  const { open } = useWorkbench()
  const { form, rows, sending } = useGoodsForm(known)
  const [previewing, setPreviewing] = usePaneState('preview', true)
  const answers = form.answers as unknown as GoodsAnswers | undefined
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.saveDraft, sending(false))
  useAction(actions.submit, sending(true))
  useAction(actions.preview, () => setPreviewing(!previewing))
  useAction(actions.pickRef, () => {
    const id = form.idOf(answers?.kind === 'coupon' ? 'coupon_id' : 'product_id')
    document.getElementById(id)?.focus()
  })
  useResult(actions.discardDraft, () => {
    form.reset()
    open(pointsShopPage.path, 'here')
    return false
  })
  useUnsaved(form)
  if (!answers) return <Loading lines={16} />
  return (
    <FormPage
      actions={Object.values(actions)}
      rows={rows}
      notes={
        <>
          {now && <State of={now.status} in={shopLooks} />}
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Cost of={answers} />
          {previewing && <GoodsPhone of={seenOf(answers)} />}
        </>
      }
    >
      <PageForm of={form} label={say(['积分商品', 'Points-shop goods'])}>
        <fieldset>
          <legend>{say(['兑换什么', 'Reward'])}</legend>
          <FormFields of={form} names={Object.keys(whatAsks(known.begun))} />
        </fieldset>
        <fieldset>
          <legend>{say(['价格、库存与条件', 'Price, stock and terms'])}</legend>
          <FormFields of={form} names={Object.keys(termAsks())} />
        </fieldset>
        <fieldset>
          <legend>{say(['展示', 'Display'])}</legend>
          <FormFields of={form} names={Object.keys(lookAsks())} wide />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}

const addressOf = (search: string) => {
  const of = new URLSearchParams(search)
  const kind = of.get('kind') ?? ''
  return {
    id: Number(of.get('id')) || 0,
    zone_id: Number(of.get('zone_id')) || 0,
    kind: Object.hasOwn(pointsKinds, kind) ? (kind as PointsKind) : 'physical',
  }
}
/** New goods for the zone of `?zone_id=`, or the goods of `?id=`. */
export default function GoodsForm() {
  const { id, zone_id, kind } = addressOf(useSearch())
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  const zones = useRead(pointsShop.zones, zone_id > 0 && id === 0 ? {} : skipToken)
  const zone_name = zones.data?.list.find(zone => zone.id === zone_id)?.name ?? ''
  const begun = useMemo(() => ({ zone_id, zone_name, kind }), [zone_id, zone_name, kind])
  if (detail.error && !detail.data) return <Failed error={detail.error} retry={detail.refetch} />
  const now = id > 0 ? (detail.currentData ?? detail.data) : undefined
  if ((id > 0 && now?.id !== id) || (zone_id > 0 && id === 0 && zones.isLoading))
    return <Loading lines={16} />
  return <Form key={`${id}:${zone_id}`} now={now} begun={begun} />
}
