import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { mallKinds } from '#src/areas/mall/mall.ts'
import { blockOrders, hotModes, hotStyles } from './city.ts'
import { guideRules } from './guideRule.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  city: {
    title: ['城市', 'City'],
    fields: {
      city_name: { title: ['城市名', 'Name'] },
      status: {
        title: ['状态', 'Status'],
        kind: 'enum',
        options: {
          preparing: ['筹备中', 'Preparing'],
          open: ['已开通', 'Open'],
          paused: ['已暂停', 'Paused'],
        },
      },
      is_default: { title: ['默认城市', 'Default'], kind: 'flag' },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      adcode: { title: ['行政区划代码', 'Division code'] },
      lng: { title: ['经度', 'Longitude'] },
      lat: { title: ['纬度', 'Latitude'] },
      opened_at: { title: ['开通时间', 'Opened'], kind: 'time' },
    },
  },
  mall: {
    title: ['商场', 'Mall'],
    fields: {
      name: { title: ['名称', 'Name'] },
      short_name: { title: ['简称', 'Short name'] },
      status: {
        title: ['状态', 'Status'],
        kind: 'enum',
        options: {
          draft: ['草稿', 'Draft'],
          online: ['已上线', 'Online'],
          offline: ['已下线', 'Offline'],
          closed: ['已关闭', 'Closed'],
        },
      },
      close_reason: { title: ['关闭原因', 'Why closed'] },
      is_hot: { title: ['热门商场', 'Hot'], kind: 'flag' },
      open_hours: { title: ['营业时间', 'Hours'] },
      district: { title: ['区域', 'District'] },
      address: { title: ['地址', 'Address'] },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: mallKinds },
      logo: { title: ['标志', 'Logo'] },
      covers: { title: ['封面图', 'Covers'], kind: 'list' },
      intro: { title: ['介绍', 'Introduction'] },
      guide_rule: {
        title: ['导购换店客户', 'Customers of a guide who moves'],
        kind: 'enum',
        options: guideRules,
      },
      rival_ids: { title: ['排他商户', 'Rival merchants'], kind: 'list' },
      parking_note: { title: ['停车说明', 'Parking'] },
      facility_note: { title: ['设施说明', 'Facilities'] },
      lng_e6: { title: ['经度', 'Longitude'], kind: 'number' },
      lat_e6: { title: ['纬度', 'Latitude'], kind: 'number' },
      hot_sort: { title: ['热门排序', 'Place among hot ones'], kind: 'number' },
      options: { title: ['运营选项', 'Options'] },
      recommend_title: { title: ['团购推荐位标题', 'Title of the group-buys'] },
      featured_title: { title: ['精选商品标题', 'Title of the featured'] },
      floors: { title: ['楼层顺序', 'Order of floors'], kind: 'list' },
      categories: { title: ['导购分类', 'Guide categories'], kind: 'list' },
      category_settings: { title: ['导购分类设置', 'Settings of the guide'] },
      hot: { title: ['热门内容顺序', 'Order of hot items'], kind: 'list' },
    },
  },
  city_setting: {
    title: ['城市配置项', 'City setting'],
    fields: {
      type: { title: ['板块', 'Block'], kind: 'enum', options: blockOrders },
      ref_id: { title: ['门店或商场编号', 'Store or mall'], kind: 'number' },
      sub_title: { title: ['副标题', 'Subtitle'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      link_params: { title: ['跳转参数', 'Link values'] },
      audience: { title: ['受众', 'For'] },
    },
  },
  city_settings: {
    title: ['城市展示设置', 'City home settings'],
    fields: {
      settings: { title: ['展示设置', 'Settings'] },
      hot_mall: { title: ['热门商圈', 'Hot malls'] },
      home_title: { title: ['首页标题', 'Home title'] },
      service_phone: { title: ['客服电话', 'Service phone'] },
      default_mid: { title: ['默认商场', 'Default mall'], kind: 'name', of: 'mall' },
      show_hot_mall: { title: ['展示热门商圈', 'Hot malls shown'], kind: 'flag' },
      show_re_store: { title: ['展示推荐门店', 'Stores shown'], kind: 'flag' },
      show_act_area: { title: ['展示活动专区', 'Areas shown'], kind: 'flag' },
      block_order: { title: ['板块顺序', 'Order of blocks'], kind: 'enums', options: blockOrders },
      from_city_id: { title: ['来源城市', 'Copied from'], kind: 'name', of: 'city' },
      copied_areas: { title: ['复制专区', 'Areas copied'], kind: 'number' },
      skipped_stores: { title: ['略过门店', 'Stores skipped'], kind: 'number' },
      skipped_malls: { title: ['略过商场', 'Malls skipped'], kind: 'number' },
    },
  },
  city_hot_mall: {
    title: ['热门商圈设置', 'Hot malls'],
    fields: {
      show: { title: ['在首页展示', 'Shown'], kind: 'flag' },
      mode: { title: ['排序方式', 'Order'], kind: 'enum', options: hotModes },
      limit_count: { title: ['展示数量', 'How many'], kind: 'number' },
      style: { title: ['样式', 'Style'], kind: 'enum', options: hotStyles },
      mids: { title: ['商场', 'Malls'], kind: 'names', of: 'mall' },
    },
  },
}
