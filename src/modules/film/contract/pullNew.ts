import { z } from 'zod'
import { pullStates } from '#src/areas/filmPull/pull.ts'
import { QUOTA_MOST } from '#src/areas/filmPull/pullRules.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  id,
  keysOf,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const status = keysOf(pullStates)
const count = z.int().min(0)
const named = z.array(z.object({ id, name: z.string() }))
const ids = (most: number) => z.array(id).max(most)
const quota = z.int().min(1).max(QUOTA_MOST)
const spent = open('What the house spends on a campaign, no product’s', cents)
const fields = {
  name: text(30, 2),
  /** None of either: everywhere. */
  city_ids: ids(50),
  mall_ids: ids(50),
  film_ids: ids(50),
  cinema_ids: ids(100),
  price_cents: cents.min(1).max(500_00),
  subsidy_cents: cents.min(0).max(500_00),
  reward_cents: cents.min(0).max(200_00),
  quota,
  quota_day: quota,
  start_at: unix,
  end_at: unix,
}
export const pullRow = z.object({
  id,
  version,
  ...fields,
  cities: named,
  malls: named,
  films: named,
  cinemas: named,
  /** Places that nobody took. */
  left: count,
  locked_count: count,
  used_count: count,
  budget_cents: spent,
  /** Subsidies of what was paid and not given back, and rewards due or paid. */
  spent_cents: spent,
  /** For each buyer who came by it; null before there is one. */
  cost_per_new_cents: spent.nullable(),
  promoters: count,
  codes: count,
  status,
  reason: z.string(),
  maker_id: id,
  maker: z.string(),
  checker: z.string(),
})
export type PullRow = z.output<typeof pullRow>
const filters = {
  keyword: searched(30).optional(),
  status: status.optional(),
  city_id: id.optional(),
  /** 0 is outside malls. */ mid: z.int().min(0).max(2_147_483_647).optional(),
}
const call = callsOf('film/pullNew', {
  touches: ['film_pull_activity'],
  rows: 'film_pull_activity',
})
const view = 'film.pullNew.view'
const choice = { input: z.object({ ...page, keyword: searched(40).optional() }), permit: view }
const options = { output: listOf(z.object({ id, name: z.string() })) }

/** Campaigns of cheap first film tickets. */
export const pullCampaigns = {
  lst: call.lists('lst', ['影票拉新活动', 'Film referral campaigns'], {
    filters,
    row: pullRow,
    answer: { stat: z.record(z.string(), z.int()) },
  }),
  promoters: call.read('promoters', ['活动推广人', 'Promoters of a campaign'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          name: z.string(),
          code: z.string(),
          scans: count,
          bought: count,
          banned: z.boolean(),
        }),
      ),
    }),
    permit: view,
    scope: placed('film_pull_activity', 'id'),
  }),
  films: call.read('films', ['可选影片', 'Films to choose'], {
    ...choice,
    ...options,
    scope: { none: 'A film is shown everywhere: it stands in no place' },
  }),
  cinemas: call.read('cinemas', ['可选影院', 'Cinemas to choose'], {
    ...choice,
    ...options,
    scope: placed('film_cinema'),
  }),
  sellers: call.read('sellers', ['可选推广人', 'Promoters to choose'], {
    ...choice,
    ...options,
    scope: placed('distributor'),
  }),
  create: call.creates('create', ['新增拉新活动', 'New campaign'], { fields }),
  edit: call.changes('edit', ['编辑拉新活动', 'Change a campaign'], { fields }),
  copy: call.changes('copy', ['复制拉新活动', 'Copy a campaign'], {
    fields: { name: text(30, 2), start_at: unix, end_at: unix },
  }),
  submit: call.changes('submit', ['提交审核', 'Submit']),
  approve: call.changes('approve', ['通过', 'Approve']),
  reject: call.changes('reject', ['驳回', 'Reject'], { fields: { reason } }),
  start: call.changes('start', ['开始', 'Start']),
  pause: call.changes('pause', ['暂停', 'Pause'], { fields: { reason } }),
  end: call.changes('end', ['结束', 'End'], { fields: { reason } }),
  addQuota: call.changes('addQuota', ['追加名额', 'Add places'], {
    fields: { quantity: quota, reason },
  }),
  addPromoters: call.changes('addPromoters', ['添加推广人', 'Add promoters'], {
    fields: { distributor_ids: z.array(id).min(1).max(200) },
    answer: { added: count },
  }),
  genCodes: call.changes('genCodes', ['生成推广码', 'Codes of promoters'], {
    answer: { made: count },
  }),
  export: call.startsExport('export', ['导出推广码', 'Export codes'], { filters }),
}
