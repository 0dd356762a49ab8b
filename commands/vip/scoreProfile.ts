import {
  FIELD_MOST,
  profileFields,
  profileKeys,
  profileTotal,
  type ProfileConfig,
  type ProfileField,
} from '#src/areas/pointsRule/earning.ts'
import {
  profileRow,
  scoreProfile as calls,
  type ProfileRow,
} from '#src/modules/vip/contract/scoreProfile.ts'
import { ask, type Ask } from '../command.ts'
import { scoreProfilePage as at } from '../pages/vip.ts'
import { one, rowActions } from '../record.ts'
import { spanAsks, spanOf } from './ruleSpan.ts'

type Rows = readonly ProfileRow[]
const fieldAsk = (field: ProfileField) =>
  ask.number({
    label: profileFields[field],
    min: 0,
    max: FIELD_MOST,
    initial: ([of]: Rows) => of?.fields[field] ?? 0,
    field: 'config',
    ...(field === 'wecom' && {
      hint: [
        '通过企业微信注册的会员视为已添加',
        'Members who registered through WeCom count as added',
      ],
    }),
  })
const fieldAsks = Object.fromEntries(profileKeys.map(key => [key, fieldAsk(key)])) as Record<
  ProfileField,
  Ask<number>
>
const configOf = (asked: ProfileConfig): ProfileConfig =>
  Object.fromEntries(profileKeys.map(key => [key, asked[key]])) as ProfileConfig
const row = rowActions(at, profileRow)

/** What is done with the rule of profiles. */
export const scoreProfileActions = {
  save: row.row(calls.save, ['修改设置', 'Change settings'], {
    key: 'e',
    main: 'plain',
    asks: {
      ...fieldAsks,
      makeUp: ask.flag({
        label: ['补发给已完成的会员', 'Top up members who already completed'],
        initial: () => false,
        hint: [
          '默认不补发；勾选后按新积分补足差额，在后台逐批发放',
          'Off by default; if on, the difference to the new points is issued in the background',
        ],
      }),
      ...spanAsks,
    },
    input: (rows, { makeUp, daily_cap, total_cap, start_at, end_at, ...asked }) => ({
      ...one(rows),
      fields: configOf(asked),
      total: profileTotal(configOf(asked)),
      makeUp,
      ...spanOf({ daily_cap, total_cap, start_at, end_at }),
    }),
  }),
  enable: row.enable(calls.enable, { key: 'b' }),
  disable: row.disable(calls.disable, { key: 'p' }),
  preview: row.row(calls.preview, ['预览任务卡', 'Preview the task'], {
    key: 'v',
    main: true,
    asks: fieldAsks,
    input: (_, asked) => ({ fields: configOf(asked) }),
  }),
  previewImpact: row.row(calls.previewImpact, ['测算积分成本', 'Estimate the cost'], {
    key: 't',
    asks: fieldAsks,
    input: (_, asked) => ({ fields: configOf(asked) }),
  }),
}
