import { z } from 'zod'
import { shareTypes, type ShareType } from '#src/areas/content/shareCard.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { id, text, version } from '#src/contract/shapes.ts'

const pageType = z.enum(Object.keys(shareTypes) as [ShareType])
const poster = z.object({
  background: text(255, 0).optional(),
  code_x: z.int().min(0).max(100).optional(),
  code_y: z.int().min(0).max(100).optional(),
})
export const shareRow = z.object({
  /** 0: nothing saved yet, the built-in words apply. */
  id: z.int(),
  page_type: pageType,
  city_id: z.int(),
  city_name: z.string(),
  title_tpl: z.string(),
  image: z.string(),
  poster,
  reward_points: z.int(),
  daily_limit: z.int(),
  reward_budget: z.int(),
  status: z.enum(['on', 'off']),
  /** Counts of the last 30 days. `rewarded` counts distinct visitors, never the sharer's own devices. */
  shares: z.int(),
  visits: z.int(),
  rewarded: z.int(),
  orders: z.int(),
  points_given: z.int(),
  version,
})
export type ShareRow = z.output<typeof shareRow>
const touches = ['share_card'] as const
const saved = z.object({ id, version })
const place = { page_type: pageType, city_id: z.int().min(0).max(2147483647) }

/** What friends see when somebody shares a page; `city_id` 0 is the default. */
export const share = {
  lst: read('system/share/lst', ['分享卡片', 'Share cards'], {
    input: z.object({ city_id: z.int().min(0).optional() }),
    output: z.object({ list: z.array(shareRow), total: z.int() }),
    touches: ['share_card', 'city'],
    scope: placed('city'),
    permit: 'system.share.view',
  }),
  save: write('system/share/save', ['保存分享设置', 'Save a share card'], {
    input: z.object({
      ...place,
      version,
      title_tpl: text(120),
      image: text(255, 0),
      poster: poster.default({}),
      status: z.enum(['on', 'off']).default('on'),
    }),
    output: saved,
    touches,
    scope: placed('city', { city_id: 'city' }),
    permit: 'system.share.save',
  }),
  preview: read('system/share/preview', ['预览分享效果', 'Preview a share'], {
    input: z.object({ ...place, object_id: id.optional(), title_tpl: text(120).optional() }),
    output: z.object({
      title: z.string(),
      full_title: z.string(),
      cut: z.boolean(),
      image: z.string(),
      from: z.enum(['city', 'default', 'built_in']),
      path: z.string(),
      values: z.record(z.string(), z.string()),
    }),
    touches: ['share_card'],
    scope: placed('city', { city_id: 'city' }),
    permit: 'system.share.preview',
  }),
  setReward: write('system/share/setReward', ['设置分享奖励', 'Set the share reward'], {
    input: z.object({
      ...place,
      version,
      reward_points: z.int().min(0).max(100_000),
      daily_limit: z.int().min(0).max(10_000),
      reward_budget: z.int().min(0).max(2_000_000_000),
    }),
    output: saved,
    touches,
    scope: placed('city', { city_id: 'city' }),
    permit: 'system.share.setReward',
  }),
  /** A city's own goes, so that the default applies; the default gets its built-in words back. */
  restoreDefault: write(
    'system/share/restoreDefault',
    ['恢复默认分享卡片', 'Restore the default card'],
    {
      input: z.object({ ...place, version }),
      output: z.object({ restored: z.boolean() }),
      touches,
      scope: placed('city', { city_id: 'city' }),
      permit: 'system.share.restoreDefault',
    },
  ),
  copyToCities: write(
    'system/share/copyToCities',
    ['分享卡片应用到城市', 'Apply a card to cities'],
    {
      input: z.object({ ...place, city_ids: z.array(id).min(1).max(100) }),
      output: z.object({
        ok: z.array(id),
        failed: z.array(z.object({ id, code: z.string(), msg: z.string() })),
      }),
      touches,
      scope: placed('city', { city_id: 'city' }),
      permit: 'system.share.copyToCities',
    },
  ),
}
