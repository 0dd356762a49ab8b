import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'film',
  title: '影票',
  en: 'Film tickets',
  place: 78,
  icon: 'film',
}

export const filmSettings = page('/manage/film/settings', '影票设置', 'Film settings', {
  keys: 'g t s',
  keepAlive: true,
  object: 'film_setting',
  alias: ['出票渠道', '服务费', '暂停售票', '屏蔽影院', 'ticket providers'],
})
export const filmDatastat = page('/manage/film/datastat', '影票数据', 'Film statistics', {
  keys: 'g t d',
  keepAlive: true,
  follows: followsBy('mid'),
  alias: ['票房', '出票成功率', '影票报表', 'box office'],
})
