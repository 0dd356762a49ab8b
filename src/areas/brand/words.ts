import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { brandStates } from './brand.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  brand: {
    title: ['品牌', 'Brand'],
    fields: {
      en_name: { title: ['英文名', 'English name'] },
      initial: { title: ['首字母', 'Letter'] },
      logo: { title: ['标志', 'Logo'] },
      category_id: { title: ['分类', 'Category'], kind: 'name', of: 'category' },
      company: { title: ['公司', 'Company'] },
      trademark_no: { title: ['商标注册号', 'Trademark'] },
      trademark_classes: { title: ['商标类别', 'Classes'], kind: 'list' },
      trademark_end_at: { title: ['商标有效期', 'Trademark until'], kind: 'time' },
      authorised: { title: ['授权商户', 'Merchant authorised'] },
      authorised_until: {
        title: ['商户授权到期', 'Merchant authorised until'],
        kind: 'time',
        none: ['长期', 'Without end'],
      },
      auth_category_ids: {
        title: ['授权分类', 'Authorised for'],
        kind: 'names',
        of: 'category',
        none: ['无需授权', 'None needed'],
      },
      auth_end_at: {
        title: ['授权到期', 'Authorised until'],
        kind: 'time',
        none: ['长期', 'Without end'],
      },
      city_ids: {
        title: ['推荐城市', 'Recommended in'],
        kind: 'names',
        of: 'city',
        none: ['全国', 'The whole country'],
      },
      recommended: { title: ['推荐', 'Recommended'], kind: 'flag' },
      followers: { title: ['关注', 'Followers'], kind: 'number' },
      state: { title: ['状态', 'State'], kind: 'enum', options: brandStates },
      merged_into: { title: ['并入', 'Merged into'], kind: 'name', of: 'brand' },
      merged_from: { title: ['并入的品牌', 'What was merged into it'] },
      stores: { title: ['随之转入的门店', 'Stores that came along'], kind: 'number' },
      goods: { title: ['随之转入的商品', 'Goods that came along'], kind: 'number' },
      bound: { title: ['关联', 'Given the brand'], kind: 'list' },
    },
  },
}
