import { pullCan, pullSentence, QUOTA_MOST, type PullVerb } from '#src/areas/filmPull/pullRules.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  pullCampaigns as calls,
  pullRow,
  type PullRow,
} from '#src/modules/film/contract/pullNew.ts'
import { ask, type Me, type Told } from '../command.ts'
import { filmPullNew as page } from '../pages/film.ts'
import { citiesAsk } from '../places.ts'
import { asking, createAction, exportAction, formOf, one, reason, rowActions } from '../record.ts'

type Rows = readonly PullRow[]
const MONEY_MOST = 500_00
const nameOf = (row: { name: string }) => row.name
type Listed = 'cities' | 'malls' | 'films' | 'cinemas'
const namedIn =
  (key: Listed) =>
  ([row]: Rows) =>
    Object.fromEntries((row?.[key] ?? []).map(({ id, name }) => [id, name]))
const everywhere = { optional: true, hint: ['不选为不限', 'None: any'] } as const
const money = (
  label: [string, string],
  field: 'price_cents' | 'subsidy_cents' | 'reward_cents',
  min: number,
) => ask.money({ label, min, max: MONEY_MOST, initial: (rows: Rows) => rows[0]?.[field] })
const places = (label: [string, string], field: 'quota' | 'quota_day') =>
  ask.number({ label, min: 1, max: QUOTA_MOST, initial: (rows: Rows) => rows[0]?.[field] })
const times = {
  start_at: ask.time({
    label: ['开始时间', 'From'],
    initial: (rows: Rows) => rows[0]?.start_at ?? unixNow() + DAY,
  }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    initial: (rows: Rows) => rows[0]?.end_at ?? unixNow() + 30 * DAY,
    check: (end, answers: { start_at?: number }) =>
      end !== undefined && answers.start_at !== undefined && end <= answers.start_at
        ? ['结束须晚于开始', 'Must be after the start']
        : undefined,
  }),
}
const name = ask.text({ label: ['活动名称', 'Name'], min: 2, max: 30 })
const form = formOf(
  {
    name,
    city_ids: citiesAsk({ max: 50, named: namedIn('cities'), ...everywhere }),
    mall_ids: ask.entities({
      label: ['商场', 'Malls'],
      find: mallPicker,
      key: 'mid',
      max: 50,
      labelOf: nameOf,
      named: namedIn('malls'),
      optional: true,
      hint: ['选择后只在这些商场有效', 'With some, it holds there alone'],
    }),
    film_ids: ask.entities({
      label: ['影片', 'Films'],
      find: calls.films,
      max: 50,
      labelOf: nameOf,
      named: namedIn('films'),
      ...everywhere,
    }),
    cinema_ids: ask.entities({
      label: ['影院', 'Cinemas'],
      find: calls.cinemas,
      max: 100,
      labelOf: nameOf,
      named: namedIn('cinemas'),
      ...everywhere,
    }),
    price_cents: money(['新客价', 'Price of a first ticket'], 'price_cents', 1),
    subsidy_cents: money(['每张最多补贴', 'Subsidy of a ticket at most'], 'subsidy_cents', 0),
    reward_cents: money(['每位新客奖励', 'Reward of a new buyer'], 'reward_cents', 0),
    quota: places(['总名额', 'Places'], 'quota'),
    quota_day: places(['每日名额', 'Places a day'], 'quota_day'),
    ...times,
  },
  ({ start_at, end_at, ...asked }) => ({
    ...asked,
    city_ids: asked.city_ids ?? [],
    mall_ids: asked.mall_ids ?? [],
    film_ids: asked.film_ids ?? [],
    cinema_ids: asked.cinema_ids ?? [],
    start_at: start_at!,
    end_at: end_at!,
  }),
)
const row = rowActions(page, pullRow)
const may =
  (verb: PullVerb) =>
  (of: PullRow): ReturnType<typeof pullCan> =>
    pullCan(verb, of)
const byAnother =
  (verb: PullVerb) =>
  (of: PullRow, me: Me): ReturnType<typeof pullCan> =>
    of.maker_id === me.id
      ? ['活动由你创建，须由另一人处理', 'You made it: another person decides']
      : pullCan(verb, of)
/** What it comes to, before it is asked for or granted. */
const told = ([of]: Rows): Told | undefined =>
  of && [['{zh}', '{en}'], { zh: pullSentence(of)[0], en: pullSentence(of)[1] }, of.budget_cents]

/** What is done with campaigns of first film tickets. */
export const pullActions = {
  create: createAction(calls.create, ['新增拉新活动', 'New campaign'], page, form),
  approve: row.row(calls.approve, ['通过', 'Approve'], {
    key: 'a',
    main: true,
    tells: told,
    when: byAnother('approve'),
    input: one,
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: byAnother('reject'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  submit: row.row(calls.submit, ['提交审核', 'Submit'], {
    key: 's',
    main: 'plain',
    tells: told,
    takenBack: 'final',
    when: may('submit'),
    input: one,
  }),
  edit: row.edit(calls.edit, ['编辑拉新活动', 'Change the campaign'], form),
  start: row.row(calls.start, ['开始', 'Start'], {
    key: 'b',
    takenBack: 'opposite',
    when: may('start'),
    input: one,
  }),
  pause: row.row(calls.pause, ['暂停', 'Pause'], {
    key: 'p',
    when: may('pause'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  end: row.row(calls.end, ['结束', 'End'], {
    danger: true,
    when: may('end'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  addQuota: row.row(calls.addQuota, ['追加名额', 'Add places'], {
    key: 'q',
    when: byAnother('addQuota'),
    asks: {
      quantity: ask.number({ label: ['追加数量', 'How many'], min: 1, max: QUOTA_MOST }),
      reason,
    },
    input: asking(asked => asked),
  }),
  addPromoters: row.row(calls.addPromoters, ['添加推广人', 'Add promoters'], {
    key: 't',
    when: may('addPromoters'),
    asks: {
      distributor_ids: ask.entities({
        label: ['推广人', 'Promoters'],
        find: calls.sellers,
        max: 200,
        labelOf: nameOf,
      }),
    },
    input: asking(asked => asked),
  }),
  genCodes: row.row(calls.genCodes, ['生成推广码', 'Codes of promoters'], {
    key: 'm',
    takenBack: 'final',
    when: may('genCodes'),
    input: one,
  }),
  copy: row.row(calls.copy, ['复制拉新活动', 'Copy the campaign'], {
    key: 'y',
    asks: {
      name: ask.text({
        label: ['活动名称', 'Name'],
        min: 2,
        max: 30,
        initial: (rows: Rows) => rows[0] && `${rows[0].name.slice(0, 26)}（副本）`,
      }),
      start_at: ask.time({ label: ['开始时间', 'From'], initial: () => unixNow() + DAY }),
      end_at: ask.time({ label: ['结束时间', 'Until'], initial: () => unixNow() + 30 * DAY }),
    },
    input: asking(({ start_at, end_at, ...asked }) => ({
      ...asked,
      start_at: start_at!,
      end_at: end_at!,
    })),
  }),
  export: exportAction(calls.export, ['导出推广码', 'Export codes'], page),
}
