import { z } from 'zod'
import { filmStages, type FilmStage } from '#src/areas/film/film.ts'
import { id, keysOf } from '#src/contract/shapes.ts'
import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'film',
  title: '影票',
  en: 'Film tickets',
  place: 78,
  icon: 'film',
}

export const filmPage = page('/manage/film/index', '影票订单', 'Film ticket orders', {
  object: 'order',
  keys: 'g v i',
  keepAlive: true,
  search: z.looseObject({ stage: keysOf<FilmStage>(filmStages).optional() }),
  alias: ['电影票', '出票', '卡单', '锁座', 'film orders', 'tickets', 'stuck'],
})
export const filmDetailPage = page('/manage/film/index/detail', '影票订单详情', 'Film order', {
  object: 'order',
  menu: false,
  follows: ({ type, id: at, row }) =>
    type === 'order' && row['kind'] === 'film' ? { id: at } : undefined,
  search: z.looseObject({ id }),
})
export const filmRefundPage = page('/manage/film/refund', '影票退款', 'Film refunds', {
  object: 'film_refund',
  keys: 'g v r',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['退票', '场次取消', '渠道退票', 'ticket refunds', 'returned tickets'],
})
export const filmWithdrawalPage = page('/manage/film/withdrawal', '影票提现', 'Film withdrawals', {
  object: 'withdrawal',
  keys: 'g v w',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['影票收入', '影票账户', '影票打款', 'film payouts'],
})
export const filmWithdrawalDetail = page(
  '/manage/film/withdrawal/detail',
  '影票提现详情',
  'Film withdrawal detail',
  {
    menu: false,
    object: 'withdrawal',
    search: z.looseObject({ id }),
    follows: ({ type, id: of }) => (type === 'withdrawal' ? { id: of } : undefined),
    alias: ['影票对账', '流水核对', 'statement of a film owner'],
  },
)
export const filmSettings = page('/manage/film/settings', '影票设置', 'Film settings', {
  keys: 'g v s',
  keepAlive: true,
  object: 'film_setting',
  alias: ['出票渠道', '服务费', '暂停售票', '屏蔽影院', 'ticket providers'],
})
export const filmDatastat = page('/manage/film/datastat', '影票数据', 'Film statistics', {
  keys: 'g v d',
  keepAlive: true,
  follows: followsBy('mid'),
  alias: ['票房', '出票成功率', '影票报表', 'box office'],
})
export const filmPullNew = page('/manage/film/pullNew', '影票拉新活动', 'Film referral campaigns', {
  keys: 'g v p',
  keepAlive: true,
  object: 'film_pull_activity',
  follows: followsBy('mid'),
  alias: ['首张影票', '推广码', '新客活动', 'first ticket', 'referral'],
})
export const filmPullStat = page(
  '/manage/film/pullNewStat',
  '影票拉新统计',
  'Referral statistics',
  {
    keys: 'g v v',
    keepAlive: true,
    object: 'film_pull_record',
    follows: followsBy('mid'),
    alias: ['拉新奖励', '拉新作弊', 'referral rewards'],
  },
)
