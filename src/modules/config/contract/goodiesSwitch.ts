import { z } from 'zod'
import {
  featureLevels,
  features,
  verdicts,
  versionFault,
} from '#src/areas/release/featureSwitch.ts'
import { placed, read } from '#src/contract/call.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import { id, keysOf, keyText, text, unix, version } from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const feature = keysOf(features)
const level = keysOf(featureLevels)
const percent = z.int().min(0).max(100)
const appVersion = keyText(16).refine(typed => versionFault(typed) === undefined, {
  message: joined(versionFault('?')!),
})
const place = { city_id: id.nullable(), mall_id: id.nullable() }

export const switchRow = z.object({
  id,
  feature,
  level,
  ...place,
  city_name: z.string(),
  mall_name: z.string(),
  status,
  percent: z.int(),
  min_version: z.string(),
  /** With the country's switch alone. */
  testers: z.array(z.object({ id, name: z.string() })),
  reason: z.string(),
  by: z.string(),
  changed_at: unix,
  /** The feature above is off in the same place: it is on for nobody, whatever it says. */
  held_off: z.boolean(),
  version,
})
export type SwitchRow = z.output<typeof switchRow>
const decision = z.object({
  feature,
  on: z.boolean(),
  verdict: keysOf(verdicts),
  level: level.nullable(),
})
const call = callsOf('config/goodiesSwitch', {
  touches: ['feature_switch'],
  rows: 'feature_switch',
})
const asker = {
  member_id: id.optional(),
  city_id: id.optional(),
  mall_id: id.optional(),
  version: appVersion.default(''),
}

/** Whoever turns all off types this. */
export const KILL_WORD = '关闭'

/** How far the goodies channel and its parts are released: by place, percent and version. */
export const goodiesSwitch = {
  lst: call.lists('lst', ['好物开关', 'Goodies switches'], {
    filters: {
      feature: feature.optional(),
      level: level.optional(),
      city_id: id.optional(),
      status: status.optional(),
    },
    row: switchRow,
    touches: ['feature_switch', 'city'],
  }),
  /** A switch of its own for a place: until then the one above decides there. */
  turnOn: call.creates('turnOn', ['新增范围开关', 'A switch for a place'], {
    fields: { feature, ...place, percent, reason },
    scope: placed('feature_switch', { city_id: 'city', mall_id: 'mall' }),
  }),
  setPercent: call.changes('setPercent', ['调整放量', 'Set the percentage'], {
    fields: { percent, reason },
  }),
  turnOff: call.changes('turnOff', ['关闭功能', 'Turn off'], { fields: { reason } }),
  setMinVersion: call.changes('setMinVersion', ['设置最低版本', 'Set the oldest version'], {
    fields: { min_version: appVersion },
  }),
  /** Those who have the feature at any percent; the whole list. */
  addTester: call.changes('addTester', ['设置体验成员', 'Set the testers'], {
    fields: { member_ids: z.array(id).max(200) },
  }),
  /** The channel off everywhere, at once; told to the groups. `typed` is the word that was asked for. */
  killAll: call.write('killAll', ['一键关闭好物', 'Turn all goodies off'], {
    input: z.object({ reason, typed: text(8), group_ids: z.array(id).max(20) }),
    output: z.object({ off: z.int(), told: z.array(z.string()) }),
    scope: 'all',
  }),
  /** What each part is for a member in a place, and which switch decides. */
  preview: call.read('preview', ['查看命中结果', 'What a member gets'], {
    input: z.object({ ...asker, member_id: id }),
    output: z.object({ member: z.string(), parts: z.array(decision) }),
    scope: placed('feature_switch', { member_id: 'member', city_id: 'city', mall_id: 'mall' }),
  }),
  /** For the app: what is on for whoever asks. At most a second behind the switches. */
  features: read('config/features', ['功能开放情况', 'What is on'], {
    input: z.object(asker),
    output: z.object({ on: z.array(feature) }),
    touches: ['feature_switch'],
    scope: { none: 'What is on is told to everybody' },
    permit: 'public',
  }),
}
