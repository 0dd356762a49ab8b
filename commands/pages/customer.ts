import { page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'customer',
  title: '客户运营',
  en: 'Customers',
  place: 82,
  icon: 'people',
}

export const customerListPage = page('/manage/customer/list', '企微客户档案', 'WeCom contacts', {
  object: 'wecom_customer',
  keys: 'g k l',
  keepAlive: true,
  alias: ['客户列表', '外部联系人', '客户转接', '离职继承', '企业群发', 'external contacts'],
})
export const groupsPage = page('/manage/customer/groups', '客户分群', 'Segments', {
  object: (row: { id: number; is?: string }) =>
    row.is === undefined ? (['segment', row.id] as const) : undefined,
  keys: 'g k g',
  keepAlive: true,
  alias: ['人群包', '圈人', '静态名单', '分群规则', '交并差', 'audiences', 'segments'],
})
export const deduplicationPage = page(
  '/manage/customer/deduplication',
  '客户去重',
  'Customer de-duplication',
  {
    object: 'customer_dup',
    keys: 'g k d',
    keepAlive: true,
    follows: ({ type, id }: Given) => (type === 'customer_dup' ? { id } : undefined),
    alias: [
      '重复客户',
      '合并会员',
      '主跟进人',
      '多人添加',
      '抢客',
      '撤销合并',
      'duplicates',
      'merge',
    ],
  },
)
export const portraitPage = page('/manage/customer/portrait', '客户画像', 'Customer portrait', {
  keys: 'g k p',
  keepAlive: true,
  alias: ['画像', '人群对比', 'RFM', '下钻', '画像字段', '标签云', 'portrait', 'profile'],
})

export const customerTagsPage = page('/manage/customer/tags', '客户标签', 'Customer tags', {
  object: (row: { id: number; is?: string; of?: number }) =>
    [row.is === 'group' ? 'wecom_tag_group' : 'wecom_tag', row.of ?? row.id] as const,
  keys: 'g k t',
  alias: ['企业标签', '标签组', '自动打标', '合并标签', 'corp tags'],
})

export const materialPage = page(
  '/manage/customer/material',
  '企微素材库',
  'WeCom material library',
  {
    object: 'wecom_material',
    keys: 'g k m',
    keepAlive: true,
    alias: ['素材', '企微素材', '媒体凭证', '欢迎语素材', '话术', '海报', 'material', 'media'],
  },
)
