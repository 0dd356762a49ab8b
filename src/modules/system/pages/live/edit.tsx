import { Button } from '@blueprintjs/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { ask, to } from '#commands/command.ts'
import { live as livePage, liveForm } from '#commands/pages/system.ts'
import { liveFormActions } from '#commands/system/live.ts'
import {
  COUPONS_MAX,
  LIVE_TITLE,
  SHELF_MAX,
  liveCan,
  liveChannels,
  livePictures,
  liveTimeFaults,
  liveTitleFault,
  type LiveChannelKind,
  type LivePicture,
} from '#src/areas/broadcast/broadcast.ts'
import type { Result } from '#src/contract/call.ts'
import { places } from '#src/contract/places.ts'
import { yuan } from '#src/domain/money.ts'
import { clause } from '#src/domain/text.ts'
import { DAY, dayStart, timeFull, unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { dispatchRead, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { OnPage } from '#src/kit/fields.tsx'
import { FirstField } from '#src/kit/focus.ts'
import { FormField, FormNotes, useForm, useUnsaved } from '#src/kit/form.tsx'
import { Picture } from '#src/kit/image.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { useCities } from '#src/kit/places.tsx'
import { refusedBy, type Refused } from '#src/kit/refused.ts'
import { Empty, Loading, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { live, liveEdit as calls, type ShelfRow } from '../../contract/live.ts'
import { RoomState } from '../../parts/live.tsx'

type Detail = Result<typeof calls.detail>
type Answers = {
  title: string
  channel: LiveChannelKind
  host_id: number
  start_at: number
  end_at: number
  city: string
  mall?: string
  coupon_ids?: number[]
  comments_on: boolean
  goods_on: boolean
} & Partial<Record<LivePicture, string[]>>
/** The names under which the server refuses a field, as the questions are called here. */
const namesHere: Record<string, string> = { city_id: 'city', mid: 'mall' }
const picture = (key: LivePicture) => {
  const { name, ratio, maxBytes } = livePictures[key]
  const size = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MB` : `${maxBytes / 1024} KB`
  return ask.images({
    label: name,
    max: 1,
    ratio,
    maxBytes,
    optional: true,
    hint: [
      `${ratio[0]}:${ratio[1]}，不大于 ${size}，提交前必传`,
      `${ratio[0]}:${ratio[1]}, ${size} at most, required to submit`,
    ],
    initial: rows => (rows[0]?.[key] ? [rows[0][key]] : undefined),
  })
}
const options = (of: readonly (readonly [number, string])[]) =>
  Object.fromEntries(of.map(([id, name]) => [String(id), [name, name] as const]))
const evening = () => dayStart(unixNow()) + DAY + 19.5 * 3600
/**
 * The questions. Of a room that is live, what is locked is not asked; a time that stays as it was
 * is judged when it is submitted.
 */
const asksFor = (
  began: Detail | undefined,
  cities: readonly { id: number; city_name: string }[],
  malls: readonly { mid: number; name: string }[],
) => {
  const shown = () => began?.state !== 'living'
  const onlyCity = cities.length === 1 ? String(cities[0]!.id) : undefined
  return {
    title: ask.text({
      label: ['标题', 'Title'],
      max: LIVE_TITLE.max,
      wide: LIVE_TITLE.max,
      initial: rows => rows[0]?.title,
      hint: ['3–17 个汉字，两个字母算一个', '3 to 17 Chinese characters, two letters count as one'],
      check: value => liveTitleFault(value),
    }),
    channel: ask.choice({
      shown,
      label: ['渠道', 'Channel'],
      options: liveChannels,
      initial: rows => rows[0]?.channel ?? 'mini_program',
    }),
    host_id: ask.entity({
      shown,
      label: ['主播微信', 'Host'],
      find: live.hosts,
      labelOf: row => `${row.name} · ${row.wechat}`,
      initial: rows => rows[0]?.host_id,
      named: rows => (rows[0] ? `${rows[0].host_name} · ${rows[0].host_wechat}` : undefined),
    }),
    start_at: ask.time({
      shown,
      label: ['开播时间', 'From'],
      hint: ['10 分钟之后，6 个月以内', '10 minutes to 6 months ahead'],
      initial: rows => rows[0]?.start_at ?? evening(),
      check: value =>
        value === undefined || value === began?.start_at
          ? undefined
          : liveTimeFaults({ start_at: value, end_at: value + 3600 }, unixNow()).start_at,
    }),
    end_at: ask.time({
      shown,
      label: ['结束时间', 'Until'],
      hint: ['时长 30 分钟到 24 小时', '30 minutes to 24 hours long'],
      initial: rows => rows[0]?.end_at ?? evening() + 2 * 3600,
      check: (value, answers) =>
        value === undefined || !Number.isSafeInteger(answers.start_at)
          ? undefined
          : liveTimeFaults({ start_at: answers.start_at, end_at: value }, unixNow()).end_at,
    }),
    city: ask.choice({
      shown,
      label: ['城市', 'City'],
      options: options(cities.map(city => [city.id, city.city_name])),
      initial: rows => (rows[0] ? String(rows[0].city_id) : onlyCity),
    }),
    mall: ask.choice({
      shown,
      label: ['商场', 'Mall'],
      optional: true,
      hint: ['不选为全城', 'None: the whole city'],
      options: options(malls.map(mall => [mall.mid, mall.name])),
      initial: rows => (rows[0]?.mid ? String(rows[0].mid) : undefined),
    }),
    cover: picture('cover'),
    share_image: picture('share_image'),
    background: picture('background'),
    coupon_ids: ask.entities({
      label: ['直播间发放的优惠券', 'Coupons to drop'],
      max: COUPONS_MAX,
      optional: true,
      find: calls.coupons,
      labelOf: row => row.name,
      given: (_, answers) => (answers.city ? { city_id: Number(answers.city) } : {}),
      initial: rows => rows[0]?.coupon_ids,
      named: rows =>
        Object.fromEntries(
          (rows[0]?.coupons ?? []).map((one: { id: number; name: string }) => [one.id, one.name]),
        ),
    }),
    comments_on: ask.flag({
      label: ['允许评论', 'Comments'],
      initial: rows => rows[0]?.comments_on ?? true,
    }),
    goods_on: ask.flag({
      label: ['显示商品货架', 'Show the shelf'],
      initial: rows => rows[0]?.goods_on ?? true,
    }),
  }
}

export default function LiveFormPage() {
  const id = Number(new URLSearchParams(useSearch()).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  const now = id > 0 ? (detail.currentData ?? detail.data) : undefined
  if (id > 0 && now?.id !== id) return <Unanswered of={detail} lines={16} />
  return <Form key={id} now={now} />
}

const nothing: readonly ShelfRow[] = []
const Form = ({ now }: { now: Detail | undefined }) => {
  const say = useSay()
  const { open, run, toast } = useWorkbench()
  const { id: pane, stage } = usePane()
  const dispatch = useDispatch()
  const subject = useStageSubject(stage)
  // The newest reading: what the person did not touch follows it. A change of the shelf is no
  // change of the plan: it only brings the version on.
  const rows = useMemo(() => (now ? [now] : []), [now])
  // A version that came of a change of the shelf made here is known before it is read again; one
  // that skips somebody else's is not.
  const own = useRef(0)
  const known = now?.version ?? 0
  const mine = ({ version }: { version: number }) => {
    if (version === Math.max(known, own.current) + 1) own.current = version
  }
  useResult(liveFormActions.addProducts, mine)
  useResult(liveFormActions.setLivePrice, mine)
  useResult(liveFormActions.removeProduct, mine)
  const cities = useCities().data
  // The malls of the city that is chosen now.
  const [city, setCity] = useState(now?.city_id)
  const malls = useRead(places.malls, city ? { limit: 1000, city_id: city } : skipToken).data?.list
  const asks = useMemo(() => asksFor(now, cities ?? [], malls ?? []), [now, cities, malls])
  const [previewing, setPreviewing] = usePaneState('preview', true)
  const [save] = useWrite(calls.save)
  const [submitRoom] = useWrite(calls.submit)
  const [sort] = useWrite(calls.sortProducts)
  const goal = useRef<'save' | 'submit'>('save')
  const newest = async (id: number) => [
    await dispatchRead(dispatch as never, calls.detail, { id }, true),
  ]
  const submit = async (
    raw: Record<string, unknown>,
    [began]: readonly Detail[],
  ): Promise<true | Refused> => {
    const answers = {
      ...began,
      ...Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined)),
    } as unknown as Answers
    const first = (key: LivePicture) => (raw[key] as string[] | undefined)?.[0] ?? ''
    const body = {
      title: answers.title.trim(),
      channel: answers.channel,
      host_id: answers.host_id,
      cover: first('cover'),
      share_image: first('share_image'),
      background: first('background'),
      start_at: answers.start_at,
      end_at: answers.end_at,
      ...(locked
        ? { city_id: began!.city_id, mid: began!.mid }
        : { city_id: Number(answers.city), mid: Number(raw['mall'] ?? 0) }),
      coupon_ids: (raw['coupon_ids'] as number[] | undefined) ?? [],
      comments_on: answers.comments_on,
      goods_on: answers.goods_on,
    }
    try {
      const saved = await save(
        {
          ...(began ? { id: began.id, version: Math.max(began.version, own.current) } : {}),
          ...body,
        },
        { quiet: true },
      )
      if (began) await newest(began.id).catch(() => {})
      form.reset()
      if (goal.current === 'submit') await submitRoom(saved, { quiet: true })
      toast(
        goal.current === 'submit'
          ? say(['已提交到直播平台，直播库存已锁定', 'Submitted; its stock is reserved'])
          : say(['已保存', 'Saved']),
        'success',
      )
      if (!began) open(to(liveForm, { id: saved.id }), 'here')
      return true
    } catch (fault) {
      return refusedBy(fault, { as: namesHere, newest: began && (() => newest(began.id)) })
    }
  }
  const form = useForm({ asks, rows, draft: `live-form:${now?.id ?? 0}`, submit })
  useUnsaved(form)
  const answers = form.answers as unknown as Answers | undefined
  const shelf = useRead(live.shelf, now ? { id: now.id } : skipToken)
  const source = sourceOf(shelf)
  const board = useBoard<ShelfRow>({
    name: `live:${now?.id ?? 0}`,
    ...source,
    rows: now ? source.rows : nothing,
    save: async (order, list_version) => {
      if (now) await sort({ id: now.id, order, list_version })
    },
  })
  const state = now?.state ?? 'draft'
  const locked = state === 'living'
  const may = liveCan('save', {
    state,
    replay_state: now?.replay_state ?? 'none',
    recommended: false,
  })
  const go = (how: typeof goal.current) => {
    goal.current = how
    form.go()
  }
  useAction(liveFormActions.save, () => go('save'))
  useAction(liveFormActions.submit, () => go('submit'))
  useAction(liveFormActions.preview, () => setPreviewing(!previewing))
  useAction(liveFormActions.sortProducts, () => void board.save())
  useAction(liveFormActions.addProducts, () => {
    if (now)
      void run(liveFormActions.addProducts, [], {
        pane,
        on: { ...now, version: Math.max(known, own.current) },
      })
    else toast(say(['请先保存直播间，再添加商品', 'Save the room first']), 'warning')
  })
  const chosen = Number(answers?.city ?? 0) || undefined
  const { change } = form
  useEffect(() => {
    if (chosen !== city) {
      setCity(chosen)
      if (city !== undefined) change('mall', undefined)
    }
  }, [chosen, city, change])
  if (!answers) return <Loading lines={16} />
  const set = (name: string) => <FormField of={form} name={name} />
  return (
    <div className="lv-edit">
      <Toolbar actions={Object.values(liveFormActions)} rows={subject.rows}>
        <RoomState of={state} />
        {now && (
          <Button
            size="small"
            variant="minimal"
            onClick={() => open(to(livePage, { tab: state }), 'here')}
          >
            {say(['返回列表', 'Back to the list'])}
          </Button>
        )}
        <FormNotes of={form} />
      </Toolbar>
      {may !== true && (
        <div className="lv-note" role="status">
          {say(may)}
          {say(clause)}
          {say(['只能查看', 'to be looked at only'])}
        </div>
      )}
      <div className="lv-body" data-preview={previewing || undefined}>
        <OnPage value={true}>
          <form
            className="lv-fields m-ask"
            onSubmit={event => {
              event.preventDefault()
              go('save')
            }}
            aria-label={say(['直播计划', 'Plan of the session'])}
          >
            {form.refused?.message && (
              <div className="m-error" role="alert">
                {form.refused.message}
              </div>
            )}
            <fieldset>
              <legend>{say(['基本信息', 'Basics'])}</legend>
              <div className="lv-wide">{set('title')}</div>
              {!locked && <div className="lv-wide">{set('host_id')}</div>}
              {set('start_at')}
              {set('end_at')}
              {set('city')}
              {set('mall')}
              {set('channel')}
              {locked && (
                <div className="lv-wide m-muted">
                  {say(
                    [
                      '直播中不能修改渠道、主播、时间和范围：{host}，{from} – {to}，{place}',
                      'Locked while live: {host}, {from} – {to}, {place}',
                    ],
                    {
                      host: now!.host_name,
                      from: timeFull(now!.start_at).slice(5, 16),
                      to: timeFull(now!.end_at).slice(11, 16),
                      place: `${now!.city_name} ${now!.mall_name}`,
                    },
                  )}
                </div>
              )}
            </fieldset>
            <fieldset>
              <legend>{say(['图片', 'Pictures'])}</legend>
              <div className="lv-pictures">
                {set('cover')}
                {set('share_image')}
                {set('background')}
              </div>
            </fieldset>
            <fieldset>
              <legend>{say(['互动', 'While it is on'])}</legend>
              {set('comments_on')}
              {set('goods_on')}
              <div className="lv-wide">{set('coupon_ids')}</div>
            </fieldset>
            <FirstField />
            <button type="submit" hidden />
          </form>
        </OnPage>
        <div className="lv-shelf">
          <Columns widths="minmax(0, 1fr)" first="shelf">
            <Column
              name="shelf"
              title={say(['商品货架', 'Shelf'])}
              aside={
                <span className="m-muted m-num">
                  {say(['{n} / {max}', '{n} of {max}'], {
                    n: board.rows?.length ?? 0,
                    max: SHELF_MAX,
                  })}
                </span>
              }
            >
              <Board
                of={board}
                label={say(['商品货架', 'Shelf'])}
                labelOf={row => row.title}
                saves={liveFormActions.sortProducts}
                dim={row => row.fault !== null}
                onOpen={row => void run(liveFormActions.setLivePrice, [row], { pane })}
                row={row => (
                  <div className="lv-line">
                    <span className="lv-thumb">
                      <Picture of={row.image} label="" />
                    </span>
                    <div className="c-two">
                      <span className="m-ellipsis" title={row.title}>
                        {row.title}
                      </span>
                      <small>
                        {row.room_state === 'draft'
                          ? say(['直播库存 {n}，可用 {a}', '{n} for the room, {a} available'], {
                              n: row.stock,
                              a: row.available,
                            })
                          : say(['剩 {n} / {all}', '{n} of {all} left'], {
                              n: row.remaining,
                              all: row.stock,
                            })}
                      </small>
                    </div>
                    <div className="lv-price">
                      <b>{yuan(row.price_cents)}</b>
                      {row.price_cents < row.normal_cents && (
                        <small>
                          <s>{yuan(row.normal_cents)}</s>
                        </small>
                      )}
                    </div>
                  </div>
                )}
                flags={row => (row.fault ? [{ tone: 'bad', text: row.fault }] : [])}
                empty={
                  <Empty title={say(['货架上还没有商品', 'The shelf is empty'])}>
                    <p>
                      {now ? (
                        <Keyed
                          text={['按 {add} 添加商品。', '{add} adds products.']}
                          by={{ add: liveFormActions.addProducts }}
                        />
                      ) : (
                        say(['先保存直播间，再添加商品。', 'Save the room, then add products.'])
                      )}
                    </p>
                  </Empty>
                }
              />
            </Column>
          </Columns>
        </div>
        {previewing && (
          <aside aria-label={say(['手机预览', 'Phone preview'])}>
            <div className="lv-stage">
              {answers.background?.[0] && (
                <Picture of={answers.background[0]} label={say(['背景', 'Background'])} />
              )}
              <header>
                <b className="m-ellipsis">{answers.title || say(['直播标题', 'Title'])}</b>
                <small>
                  {Number.isSafeInteger(answers.start_at)
                    ? timeFull(answers.start_at).slice(5, 16)
                    : ''}{' '}
                  {answers.comments_on ? '' : say(['评论已关闭', 'Comments off'])}
                </small>
              </header>
              {answers.goods_on && (board.rows?.length ?? 0) > 0 && (
                <div className="lv-goods">
                  {board.rows!.slice(0, 5).map(row => (
                    <div key={row.id}>
                      <span className="m-ellipsis">{row.title}</span>
                      <b>¥{yuan(row.price_cents)}</b>
                    </div>
                  ))}
                </div>
              )}
            </div>
          </aside>
        )}
      </div>
    </div>
  )
}
