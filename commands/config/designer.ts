import { categoryBrandPage } from '#src/modules/config/contract/categoryBrandPage.ts'
import { categoryHome } from '#src/modules/config/contract/categoryHome.ts'
import { homePage } from '#src/modules/config/contract/homePage.ts'
import { ask, stemOf } from '../command.ts'
import { choosePage, copyFrom, designerActions, designIn, type DesignAt } from '../designer.ts'
import { categoryBrandDesign, channelDesign, homeDesign } from '../pages/config.ts'
import { one, pageAction } from '../record.ts'

export const homeDesignActions = designerActions(homeDesign, 'home', homePage)

const channel = ['频道', 'Channel'] as const
const inCity = ({ city_id, category_id }: DesignAt) => ({ city_id, but: category_id })
export const channelDesignActions = {
  ...designerActions(channelDesign, 'categoryHome', categoryHome),
  choose: choosePage(channelDesign, categoryHome, channel, inCity),
  copyFrom: copyFrom(channelDesign, categoryHome, channel, inCity),
  setFallback: pageAction(
    categoryHome.setFallback,
    ['设置默认模板', 'Set the default template'],
    channelDesign,
    {
      key: 'shift+l',
      asks: {
        template_id: ask.entity({
          label: ['模板', 'Template'],
          find: categoryHome.templates,
          labelOf: row => row.name,
          optional: true,
          none: ['还没有模板，可先存为模板', 'There are no templates: save one first'],
          hint: [
            '没有装修的频道都展示它；留空用内置模板',
            'Channels without a page of their own show it; empty: the built-in one',
          ],
        }),
      },
      input: (_, { template_id }) => (template_id ? { template_id } : {}),
      takenBack: 'again',
    },
  ),
}

const onWall = ({ city_id, category_id, brand_id }: DesignAt) => ({
  city_id,
  category_id,
  but: brand_id,
})
export const categoryBrandDesignActions = {
  ...designerActions(categoryBrandDesign, 'categoryBrand', categoryBrandPage),
  choose: choosePage(categoryBrandDesign, categoryBrandPage, ['品牌', 'Brand'], onWall),
  inheritBrand: pageAction(
    `${stemOf(categoryBrandDesign.path)}.inheritBrand`,
    ['继承品牌主页样式', 'Take over the brand’s page'],
    categoryBrandDesign,
    { key: 'f', alias: ['套用品牌主页', 'brand style'] },
  ),
  batchApply: pageAction(
    categoryBrandPage.batchApply,
    ['应用到其他品牌', 'Apply to other brands'],
    categoryBrandDesign,
    {
      key: 'shift+c',
      asks: {
        brand_ids: ask.entities({
          label: ['品牌墙上的品牌', 'Brands of the wall'],
          find: categoryBrandPage.lst,
          labelOf: row => row.name,
          given: rows => onWall(designIn(rows)),
          max: 60,
          hint: [
            '写入各品牌的草稿，手选商品换成该品牌自己的；没有商品的品牌跳过',
            'It writes their drafts, with goods of their own; brands without any are passed over',
          ],
        }),
      },
      input: (rows, { brand_ids }) => ({ ...one([designIn(rows)]), brand_ids }),
    },
  ),
}
