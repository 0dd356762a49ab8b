import { provinceNames } from '#src/areas/place/divisions.ts'
import {
  hotlineFault,
  patternFault,
  sampleFault,
  TRACKING_MAX,
} from '#src/areas/shipping/courier.ts'
import { courierCompany as calls, courierRow } from '#src/modules/config/contract/courierCompany.ts'
import { ask } from '../command.ts'
import { couriers } from '../pages/config.ts'
import {
  arrangeAction,
  asking,
  createAction,
  formOf,
  idOf,
  one,
  pageAction,
  rowActions,
} from '../record.ts'

const asks = {
  name: ask.text({ label: ['名称', 'Name'], max: 32 }),
  pattern: ask.text({
    label: ['单号规则', 'Number format'],
    max: 128,
    optional: true,
    check: patternFault,
    hint: [
      '整个单号须符合，如 SF\\d{13}；可用大写字母、数字、\\d、[…]、{n}、{n,m}、?、( | )；留空不校验',
      'Of the whole number, such as SF\\d{13}: capital letters, digits, \\d, […], {n}, {n,m}, ?, ( | ); empty: any',
    ],
  }),
  sample: ask.text({
    label: ['示例单号', 'Sample number'],
    max: TRACKING_MAX,
    optional: true,
    check: (sample, { pattern }: { pattern?: string }) => sampleFault(pattern ?? '', sample),
    hint: ['须符合规则，发货时作为提示', 'It fits the form, and is shown as a hint when sending'],
  }),
  phone: ask.text({
    label: ['客服电话', 'Phone'],
    max: 20,
    optional: true,
    check: hotlineFault,
  }),
  areas: ask.choices({
    label: ['服务地区', 'Serves'],
    options: provinceNames,
    optional: true,
    hint: ['不选为全国', 'None: the whole country'],
  }),
}
type Answers = { name: string } & Partial<Record<'pattern' | 'sample' | 'phone', string>> & {
    areas?: string[] | undefined
  }
const fields = ({ name, pattern = '', sample = '', phone = '', areas = [] }: Answers) => ({
  name,
  pattern,
  sample,
  phone,
  areas,
})
const editForm = formOf(asks, fields)
const createForm = formOf(
  {
    code: ask.text({
      label: ['编码', 'Code'],
      min: 2,
      max: 24,
      hint: [
        '物流查询服务使用的编码，如 shunfeng',
        'As the tracking service calls it, such as shunfeng',
      ],
    }),
    ...asks,
  },
  ({ code, ...asked }) => ({ code, ...fields(asked) }),
)
const row = rowActions(couriers, courierRow)
export const courierActions = {
  create: createAction(calls.create, ['新增快递公司', 'New courier'], couriers, createForm),
  edit: row.edit(calls.edit, ['编辑快递公司', 'Edit courier'], editForm, {
    main: true,
  }),
  setDefault: row.row(calls.setDefault, ['设为默认', 'Make it the default'], {
    key: 'm',
    when: ({ is_default, status }) => {
      if (is_default) return ['已是默认快递', 'It is the default']
      return status === 'on' || ['请先启用', 'Enable it first']
    },
    input: one,
  }),
  testTrack: row.row(calls.testTrack, ['测试物流查询', 'Try the tracking'], {
    key: 't',
    asks: {
      tracking_no: ask.text({
        label: ['快递单号', 'Tracking number'],
        min: 4,
        max: 60,
        initial: rows => rows[0]?.sample,
      }),
    },
    input: (rows, { tracking_no }) => ({ ...idOf(rows), tracking_no }),
  }),
  bindAccount: row.row(calls.bindAccount, ['绑定电子面单账号', 'Bind a waybill account'], {
    key: 'b',
    asks: {
      account_no: ask.text({
        label: ['客户编码（月结账号）', 'Customer number'],
        max: 32,
        optional: true,
        initial: rows => rows[0]?.account_no,
        hint: ['留空为解除绑定', 'Empty unbinds it'],
      }),
      account_secret: ask.text({
        label: ['密钥', 'Secret'],
        max: 64,
        optional: true,
        hint: ['保存后不再显示；留空沿用已保存的', 'Not shown again; empty keeps the one there is'],
      }),
    },
    input: asking(({ account_no, account_secret }) => ({
      account_no: account_no ?? '',
      ...(account_secret && { account_secret }),
    })),
  }),
  sort: arrangeAction(calls.sort, ['调整快递顺序', 'Arrange couriers'], couriers, () => ({})),
  sync: pageAction(calls.sync, ['同步标准快递库', 'Bring in standard couriers'], couriers, {
    key: 'y',
    asks: {
      correct: ask.flag({
        label: ['同时更正已有快递的名称与电话', 'Correct names and phones of those that are here'],
        initial: () => true,
      }),
    },
    input: (_, { correct }) => ({ correct }),
  }),
  enable: row.enable(calls.enable),
  disable: row.disable(calls.disable, {
    when: ({ is_default, status }) => {
      if (is_default) return ['默认快递不能停用', 'The default can’t be disabled']
      return status === 'on' || ['已停用', 'It is disabled']
    },
  }),
  del: row.del(calls.del, ['删除快递公司', 'Delete courier'], {
    when: ({ is_default }) => !is_default || ['默认快递不能删除', 'The default can’t be deleted'],
  }),
}
