import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { positionNames, bannerStates } from './banner.ts'
import { scenes, contactTypes } from './contact.ts'
import { shareTypes } from './shareCard.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  banner: {
    title: ['轮播图', 'Banner'],
    fields: {
      title: { title: ['标题', 'Title'] },
      position: { title: ['位置', 'Position'], kind: 'enum', options: positionNames },
      image: { title: ['图片', 'Picture'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      link_params: { title: ['跳转参数', 'Link values'] },
      city_ids: { title: ['投放城市', 'Cities'], kind: 'names', of: 'city' },
      mid: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      audience: { title: ['受众', 'For'] },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: bannerStates },
    },
  },
  banner_order: {
    title: ['轮播图顺序', 'Order of banners'],
    fields: { position: { title: ['位置', 'Position'], kind: 'enum', options: positionNames } },
  },
  share_card: {
    title: ['分享卡片', 'Share card'],
    fields: {
      page_type: { title: ['页面类型', 'Page type'], kind: 'enum', options: shareTypes },
      title_tpl: { title: ['标题模板', 'Title'] },
      poster: { title: ['海报', 'Poster'] },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      reward_points: { title: ['奖励积分', 'Points'], kind: 'number' },
      daily_limit: { title: ['每日上限', 'A day'], kind: 'number' },
      reward_budget: { title: ['总预算', 'Budget'], kind: 'number' },
    },
  },
  service_contact: {
    title: ['客服渠道', 'Service contact'],
    fields: {
      scene: { title: ['场景', 'Scene'], kind: 'enum', options: scenes },
      type: { title: ['方式', 'Kind'], kind: 'enum', options: contactTypes },
      value: { title: ['号码或链接', 'Number or link'] },
      qr: { title: ['二维码', 'QR'] },
      hours: { title: ['工作时间', 'Hours'] },
      auto_reply: { title: ['自动回复', 'Auto reply'] },
      expires_at: { title: ['二维码到期', 'QR runs out'], kind: 'time' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
    },
  },
}
