import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { provinceNames } from '#src/areas/place/divisions.ts'
import { freightModes } from './freight.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  courier: {
    title: ['快递公司', 'Courier'],
    fields: {
      code: { title: ['编码', 'Code'] },
      pattern: { title: ['单号规则', 'Number format'] },
      sample: { title: ['示例单号', 'Sample number'] },
      account_no: { title: ['面单账号', 'Waybill account'] },
      account_secret: { title: ['面单密钥', 'Waybill secret'] },
      areas: {
        title: ['服务地区', 'Serves'],
        kind: 'enums',
        options: provinceNames,
        none: ['全国', 'The whole country'],
      },
      is_default: { title: ['默认快递', 'Default'], kind: 'flag' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
    },
  },
  freight_template: {
    title: ['运费模板', 'Freight template'],
    fields: {
      mode: {
        title: ['计费方式', 'Counted'],
        kind: 'enum',
        options: Object.fromEntries(
          Object.entries(freightModes).map(([key, { title }]) => [key, title]),
        ),
      },
      regions: { title: ['地区运费', 'Fees by place'], kind: 'list' },
      free_rules: { title: ['包邮条件', 'Free from'], kind: 'list' },
      no_delivery: { title: ['不配送区域', 'Not delivered to'], kind: 'list' },
    },
  },
}
