import { z } from 'zod'
import {
  codeHealth,
  codeKinds,
  codeStates,
  verifyModes,
  wayStates,
} from '#src/areas/channelCode/channelCode.ts'
import { MEMBERS_MOST, TAGS_MOST } from '#src/areas/channelCode/codeRules.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  keyText,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const count = z.int().min(0)
const words = z.string()
const userid = keyText(64, 1)
const minute = z.int().min(0).max(1440)
const weekdays = z.array(z.int().min(1).max(7)).max(7)
const printed = cents.min(0).max(100_000_000)
/** What a form sends of a code. */
const bodyFields = {
  name: text(40),
  group_name: text(20, 0),
  kind: keysOf(codeKinds),
  mall_id: id.nullable(),
  store_id: id.nullable(),
  cost_cents: open('What printing a code costs, which its list tells too', printed),
  members: z
    .array(
      z.object({
        userid,
        weight: z.int().min(0).max(1000),
        day_cap: z.int().min(0).max(100_000).nullable(),
      }),
    )
    .max(MEMBERS_MOST + 1),
  shifts: z
    .array(
      z.object({
        weekdays,
        from_min: minute,
        to_min: minute,
        overnight: z.boolean(),
        userids: z.array(userid).max(MEMBERS_MOST),
      }),
    )
    .max(50),
  backup_userids: z.array(userid).max(MEMBERS_MOST),
  verify_mode: keysOf(verifyModes),
  verify_windows: z.array(z.object({ weekdays, from_min: minute, to_min: minute })).max(14),
  tag_ids: z.array(id).max(TAGS_MOST + 20),
  remark_suffix: text(10, 0),
  welcome_id: id.nullable(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
}
export const codeBody = z.object(bodyFields)

/** A colleague of a code, with what decides whether scans lead to them today. */
const person = z.object({
  id,
  userid: words,
  name: words,
  place: words,
  able: z.boolean(),
  /** Why not, in the language of who asks; empty where they are able. */
  unable: words,
  taken: count,
  taken_in_all: count,
  day_cap: z.int().nullable(),
})
export type CodePerson = z.output<typeof person>
const named = z.object({ id, name: words })
export const codeRow = z.object({
  id,
  version,
  name: words,
  group_name: words,
  kind: keysOf(codeKinds),
  status: keysOf(codeStates),
  health: keysOf(codeHealth),
  mall_id: z.int().nullable(),
  mall_name: words,
  store_name: words,
  /** The people whom a scan leads to now, and those behind them, by name. */
  duty: words,
  backups: words,
  tags: words,
  scans_today: count,
  adds_today: count,
  lost_today: count,
  scans_7d: count,
  adds_total: count,
  /** What one add cost so far, in cents; null: no cost, or no add. */
  cost_per_add: cents.nullable(),
  rev: count,
  has_way: z.boolean(),
  has_draft: z.boolean(),
  publishing: z.boolean(),
  way_state: keysOf(wayStates),
  way_errcode: z.int(),
  way_error: words,
  way_note: words,
  synced_at: unix.nullable(),
  /** Whether WeCom was asked to be compared with and has not answered. */
  checking: z.boolean(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  reason: words,
})
export type CodeRow = z.output<typeof codeRow>
const detail = codeRow.extend({
  body: codeBody,
  /** What holds, where something else is written. */
  live: codeBody.nullable(),
  people: z.array(person),
  tag_names: z.array(named),
  welcome_name: words,
  store_name: words,
  versions: z.array(
    z.object({
      rev: z.int(),
      state: z.enum(['waiting', 'done', 'failed']),
      by: words,
      error: words,
      errcode: z.int(),
      created_at: unix,
      live_at: unix.nullable(),
      people: count,
      shifts: count,
    }),
  ),
})
export type CodeDetail = z.output<typeof detail>

const rows = 'channel_code'
const call = callsOf('channel/code', { touches: [rows, 'channel_stat'], rows })
const form = callsOf('channel/code/edit', { touches: [rows], rows })
const view = 'channel.code.view'
const filters = {
  keyword: searched(40).optional(),
  group: searched(20).optional(),
  status: keysOf(codeStates).optional(),
  health: keysOf(codeHealth).optional(),
  /** 0: of no mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  staff_id: id.optional(),
  tag_id: id.optional(),
  id: id.optional(),
}
const picked = { ...page, keyword: searched(20).optional() }
const ids = z.array(id).min(1).max(100)
const many = { scope: placed(rows, 'ids') }

/** Printed codes: who answers their scans, and which of them are broken. */
export const channelCodes = {
  lst: call.read('lst', ['渠道活码', 'Channel codes'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(codeRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: [rows, 'channel_stat', 'wecom_staff', 'wecom_customer'],
    permit: view,
  }),
  side: call.read('side', ['渠道活码侧栏', 'Beside a channel code'], {
    input: z.object({ id }),
    output: z.object({
      body: codeBody,
      people: z.array(person),
      /** Scans, adds and losses day by day of the last week. */
      days: z.array(z.object({ day: words, scans: count, adds: count, lost: count })),
    }),
    touches: [rows, 'channel_stat', 'wecom_staff', 'wecom_customer'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** Groups that codes are in, with how many each has. */
  groups: call.read('groups', ['活码分组', 'Groups of codes'], {
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ name: words, n: count })) }),
    permit: view,
  }),
  /** Colleagues who stand in some code that the person sees. */
  staff: call.read('staff', ['活码成员', 'Members of codes'], {
    input: z.object({ ...picked, able: z.boolean().optional() }),
    output: listOf(z.object({ id, name: words, userid: words, place: words })),
    touches: ['wecom_staff'],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  tags: call.read('tags', ['企业标签', 'Tags'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: words, group: words })),
    touches: ['wecom_tag'],
    scope: 'all',
    permit: view,
  }),
  stores: call.read('stores', ['可选门店', 'Stores to choose'], {
    input: z.object({ ...picked, mall_id: id.optional() }),
    output: listOf(z.object({ id, name: words, mall: words })),
    touches: ['store'],
    scope: placed('store'),
    permit: view,
  }),
  /** Codes as pictures: `text` of each is below the origin that is given. */
  pictures: call.read('pictures', ['活码二维码', 'Pictures of codes'], {
    input: z.object({
      ids,
      origin: keyText(120, 1),
      size: z.int().min(96).max(2048).default(96),
      format: z.enum(['svg', 'png']).default('svg'),
    }),
    output: z.object({
      list: z.array(z.object({ id, name: words, link: words, image: words })),
    }),
    ...many,
    permit: view,
  }),
  copy: call.changes('copy', ['复制活码', 'Copy a code']),
  batchCreate: call.write('batchCreate', ['批量建门店活码', 'Codes for stores'], {
    input: z.object({ store_ids: ids, template_id: id }),
    output: batchResult,
    touches: [rows, 'channel_way'],
    scope: placed(rows, { store_ids: 'store', template_id: rows }),
  }),
  pause: call.changes('pause', ['暂停活码', 'Pause a code']),
  resume: call.changes('resume', ['恢复活码', 'Resume a code'], {
    fields: { end_at: unix.optional() },
  }),
  archive: call.changes('archive', ['归档活码', 'Archive a code'], { fields: { reason } }),
  batchMember: call.write('batchMember', ['批量换接待成员', 'Replace a member'], {
    input: z.object({ ids, from: id, to: id }),
    output: batchResult,
    touches: [rows, 'channel_way'],
    scope: placed(rows, { ids: rows, to: 'wecom_staff' }),
  }),
  moveGroup: call.write('moveGroup', ['移动分组', 'Move to a group'], {
    input: z.object({ ids, group: text(20, 0) }),
    output: batchResult,
    ...many,
  }),
  sync: call.write('sync', ['校验企微配置', 'Check against WeCom'], {
    input: z.object({ ids }),
    output: batchResult,
    touches: [rows, 'channel_way'],
    ...many,
  }),
  export: call.startsExport('export', ['导出活码', 'Export codes'], { filters }),
}

/** The form of a code: what is written is kept, or published to WeCom. */
export const codeEdit = {
  detail: form.read('detail', ['渠道活码详情', 'A channel code'], {
    input: z.object({ id }),
    output: detail,
    touches: [rows, 'wecom_staff'],
    scope: placed(rows, 'id'),
    permit: 'channel.code.edit.view',
  }),
  /** Colleagues to be added to a form, with what they have received today by a code. */
  people: form.read('people', ['接待成员', 'Members'], {
    input: z.object({ ids, code_id: id.optional() }),
    output: z.object({ list: z.array(person) }),
    touches: ['wecom_staff', 'wecom_customer'],
    scope: placed('wecom_staff', { ids: 'wecom_staff', code_id: rows }),
    permit: 'channel.code.edit.view',
  }),
  /** Welcome messages of codes that are on. */
  welcomes: form.read('welcomes', ['活码欢迎语', 'Welcomes of codes'], {
    input: z.object(picked),
    output: listOf(named.extend({ text: words })),
    touches: ['wecom_welcome'],
    scope: 'all',
    permit: 'channel.code.edit.view',
  }),
  /** The welcome that a new contact of somebody would get at a time, and by which rule. */
  welcomeAt: form.read('welcomeAt', ['将收到的欢迎语', 'The welcome they would get'], {
    input: z.object({ staff_id: id, at: unix, welcome_id: id.optional() }),
    output: z.object({
      /** Null where none would be sent. */
      welcome: z.object({ name: words, text: words, scope: words }).nullable(),
    }),
    touches: ['wecom_welcome'],
    scope: placed('wecom_staff', { staff_id: 'wecom_staff' }),
    permit: 'channel.code.edit.view',
  }),
  save: form.write('save', ['保存活码草稿', 'Save a draft of a code'], {
    input: z.object({ id: id.optional(), version: version.optional(), ...bodyFields }),
    output: z.object({ id, version }),
    scope: placed(rows, { id: rows, mall_id: 'mall', store_id: 'store' }),
  }),
  publish: form.write('publish', ['发布活码', 'Publish a code'], {
    input: z.object({ id: id.optional(), version: version.optional(), ...bodyFields }),
    output: z.object({ id, version }),
    touches: [rows, 'channel_way'],
    scope: placed(rows, { id: rows, mall_id: 'mall', store_id: 'store' }),
  }),
  restore: form.changes('restore', ['恢复历史版本', 'Restore a version'], {
    fields: { rev: z.int().min(1) },
  }),
}
