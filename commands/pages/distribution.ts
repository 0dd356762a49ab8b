import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'distribution',
  title: '分销',
  en: 'Distribution',
  place: 75,
  icon: 'people',
}
export const rankingPage = page('/manage/distribution/ranking', '分销排行榜', 'Ranking', {
  object: (row: { id: number; view: string }) =>
    row.view === 'live' ? undefined : ['dist_rank', row.id],
  keys: 'g y r',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['榜单', '排名', '榜单奖励', '销售排名', 'leaderboard'],
})
