import { featureTitles, versionFault } from '#src/areas/release/featureSwitch.ts'
import {
  goodiesSwitch as calls,
  KILL_WORD,
  switchRow,
} from '#src/modules/config/contract/goodiesSwitch.ts'
import { group as groupCalls } from '#src/modules/system/contract/group.ts'
import { ask, called } from '../command.ts'
import { goodies } from '../pages/config.ts'
import { cityAsk, mallAsk } from '../places.ts'
import { asking, one, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(goodies, switchRow)
called(switchRow, ({ feature, city_name, mall_name }) => {
  const [zh, en] = featureTitles[feature]
  const place = mall_name || city_name
  return place ? [`${zh} · ${place}`, `${en} · ${place}`] : [zh, en]
})
const percent = ask.number({
  label: ['放量（%）', 'Percent of members'],
  min: 0,
  max: 100,
  initial: rows => rows[0]?.percent ?? 0,
  hint: [
    '同一会员在放量增加时始终保持命中；0 只对体验成员开放',
    'Whoever has it keeps it as the percentage grows; 0 is for testers only',
  ],
})
const appVersion = (label: 'least' | 'own') =>
  ask.text({
    label:
      label === 'least' ? ['最低 App 版本', 'Oldest app version'] : ['App 版本', 'App version'],
    max: 16,
    optional: true,
    check: versionFault,
    initial: rows => (label === 'least' ? rows[0]?.min_version : undefined),
    hint:
      label === 'least'
        ? ['如 3.2.0；留空不限', 'Such as 3.2.0; empty: any']
        : ['如 3.2.0', '3.2.0'],
  })
const mallOf = mallAsk({
  optional: true,
  shown: answers => Boolean(answers['city_id']),
  given: (_, answers) => ({ city_id: answers['city_id'] }),
})
/** Numbers of members as they are typed: one a line, or with commas. */
const numbersIn = (typed: string) => typed.split(/[\s,，、]+/).filter(Boolean)
const isNumber = (typed: string) => /^[1-9]\d{0,8}$/.test(typed)

export const goodiesActions = {
  turnOn: pageAction(calls.turnOn, ['新增范围开关', 'New local switch'], goodies, {
    key: 'c',
    main: true,
    asks: {
      feature: ask.choice({ label: ['功能', 'Feature'], options: featureTitles }),
      city_id: cityAsk({ optional: true, hint: ['留空为全国', 'Empty: the whole country'] }),
      mall_id: mallOf,
      percent,
      reason,
    },
    input: (_, { feature, city_id, mall_id, ...asked }) => ({
      feature,
      city_id: city_id ?? null,
      mall_id: city_id ? (mall_id ?? null) : null,
      ...asked,
    }),
  }),
  setPercent: row.row(calls.setPercent, ['开启或调整放量', 'Turn on or set percentage'], {
    key: 'p',
    main: true,
    asks: { percent, reason },
    input: asking(asked => asked),
  }),
  turnOff: row.row(calls.turnOff, ['关闭', 'Turn off'], {
    key: 'd',
    main: true,
    danger: true,
    when: ({ status }) => status === 'on' || ['已关闭', 'Already off'],
    asks: { reason },
    input: asking(asked => asked),
  }),
  setMinVersion: row.row(calls.setMinVersion, ['设置最低版本', 'Set oldest version'], {
    key: 'm',
    asks: { min_version: appVersion('least') },
    input: asking(asked => ({ min_version: asked.min_version ?? '' })),
  }),
  addTester: row.row(calls.addTester, ['设置体验成员', 'Set testers'], {
    key: 't',
    when: ({ level }) =>
      level === 'national' || ['在全国开关上设置', 'Set with the country’s switch'],
    asks: {
      members: ask.text({
        label: ['会员编号', 'Member numbers'],
        max: 2000,
        optional: true,
        lines: 4,
        initial: rows => rows[0]?.testers.map((member: { id: number }) => member.id).join('\n'),
        hint: ['每行一个或用逗号隔开，最多 200 个', 'One a line or with commas, 200 at most'],
        check: typed => {
          const bad = numbersIn(typed).find(part => !isNumber(part))
          return bad ? [`“${bad}”不是会员编号`, `“${bad}” is no member number`] : undefined
        },
      }),
    },
    input: (rows, { members }) => ({
      ...one(rows),
      member_ids: numbersIn(members ?? '').map(Number),
    }),
  }),
  preview: pageAction(calls.preview, ['查看会员命中结果', 'What a member gets'], goodies, {
    key: 'v',
    asks: {
      member_id: ask.number({ label: ['会员编号', 'Member number'], min: 1, max: 2_147_483_647 }),
      city_id: cityAsk({ optional: true }),
      mall_id: mallOf,
      version: appVersion('own'),
    },
  }),
  killAll: pageAction(calls.killAll, ['一键关闭好物', 'Turn all goodies off'], goodies, {
    danger: true,
    asks: {
      reason,
      group_ids: ask.entities({
        label: ['通知群组', 'Groups to tell'],
        find: groupCalls.options,
        labelOf: group => group.name,
        max: 20,
      }),
      typed: ask.text({
        label: [`输入“${KILL_WORD}”确认`, `Type “${KILL_WORD}” to confirm`],
        max: 8,
        check: typed =>
          typed === KILL_WORD ? undefined : [`请输入“${KILL_WORD}”`, `Type “${KILL_WORD}”`],
      }),
    },
    input: (_, asked) => asked,
  }),
}
