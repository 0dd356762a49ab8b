/**
 * The calls that the specification lists in section 7: method, path below /api/manageback/, what
 * goes in, what comes out. Written down once more, by hand and apart from the contracts: what is
 * missing there is found against it. `name{…}` is a set of fields, `name[…]` a list of them, a bare
 * `[…]` a list by itself; ` | ` stands between forms of one call.
 */
const options =
  'options{show_hot show_floor show_category show_coupon show_group show_voucher show_featured show_shop block_order default_tab theme}'
const board = 'ok failed[id reason] recommended max list_version'
const period = 'sale_start_at sale_end_at check_start_at check_end_at'
const mallFields =
  'name city_id kind district address lng_e6 lat_e6 logo covers open_hours[weekdays from to] phone parking_note intro'
const hotFields =
  'city_id mid kind title ref_id page_link_id link_params image badge start_at end_at status'
const floorFields = 'name alias level_no map_image is_show'
const categoryFields =
  'mid parent_id name icon shop_category_ids jump_kind page_link_id link_params is_show'
const gridSettings = 'title show_title per_row max_rows layout store_limit hide_empty'
const bannerFields =
  'title position image page_link_id link_params city_ids mid audience start_at end_at'
const citySettings =
  'settings{home_title service_phone default_mid show_hot_mall show_re_store show_act_area block_order}'
const category =
  'id mid mall_name parent_id name icon shop_category_ids jump_kind page_link_id link_params link_name sort is_show store_count product_count is_empty version'
const cityRow =
  'id city_id city_name adcode initial pinyin lng lat status is_default sort opened_at mall_count store_count member_count checklist[key ok] version'

export const sectionSeven: readonly (readonly [way: string, takes: string, answers: string])[] = [
  ['GET /api/api/getQiniuToKenAndDomainI', '', 'token domain'],
  ['POST login', 'account password', 'token'],
  ['GET logout', '', ''],
  ['POST sysadmin/getUserLeftMenu', '', '[id title redirect children]'],
  ['GET getQrImg', '', ''],
  ['GET getMpImg', '', ''],
  [
    'GET mall/lst',
    'page limit keyword city_id kind status is_hot incomplete simp order_by',
    'list[mid name short_name city_id city_name district kind status logo is_hot hot_sort sort floor_count store_count on_sale_count gmv_30d_cents visit_30d completeness missing updated_at version] total stat{online draft offline closed} | list[mid name city_id city_name] total',
  ],
  [
    'GET mall/detail',
    'mid',
    `mid name short_name kind city_id city_name district address lng_e6 lat_e6 logo covers open_hours[weekdays from to] phone parking_note intro ${options} category_settings recommend_title featured_title is_hot hot_sort sort status online_at closed_at close_reason store_count on_sale_count floors[id name level_no store_count] missing version`,
  ],
  ['POST mall/create', `${mallFields} publish confirm_pin reason`, 'mid status version'],
  [
    'POST mall/edit',
    `mid version ${mallFields} is_hot hot_sort sort to_status reason`,
    'mid status version',
  ],
  ['GET mall/del', 'mid reason', 'mid deleted'],
  ['POST mall/setMallOptions', `mid version ${options}`, `mid ${options} version`],
  [
    'GET mall/filterLst',
    'city_id keyword scene include_outside include',
    'list[mid name city_id city_name letter status disabled_reason] total',
  ],
  [
    'GET hots/list',
    'page pageSize city_id mid kind status keyword',
    'list[id city_id city_name mid mall_name kind title ref_id ref_name ref_status page_link_id link_params image badge sort start_at end_at click_count user_count status is_live hide_reason updated_at version] total max live list_version',
  ],
  ['POST hots/add', hotFields, 'id sort version list_version'],
  [
    'POST hots/edit',
    `id version ${hotFields} | city_id mid order list_version | id copy_to_mids`,
    'id version | list_version | ok[mid id] failed[mid reason]',
  ],
  ['GET hots/del', 'id', 'id deleted list_version'],
  [
    'GET hots/userList',
    'id page pageSize start_at end_at',
    'list[member_id nickname avatar phone_masked city_name click_count first_click_at last_click_at] total pv uv',
  ],
  [
    'GET coupon/listRecommends',
    'mid city_id is_recommend keyword kind page pageSize',
    'list[id coupon_no name kind face_cents threshold_cents discount_bp total claimed_count used_count left claim_start_at claim_end_at status city_id city_name mid mall_name is_recommend sort recommend_start_at recommend_end_at set_by_name set_at blocked_reason] total recommended max list_version',
  ],
  [
    'POST coupon/recommendstatus',
    'mid ids is_recommend start_at end_at | mid id is_recommend',
    board,
  ],
  [
    'GET tuan/listRecommends',
    'mid block city_id is_recommend keyword category_id kind expiring page pageSize',
    `list[id kind title image merchant_name store_count_in_mall list_price_cents price_cents settle_price_cents stock_left sold_30d convert_bp ${period} state city_id city_name mid mall_name is_recommend sort blocked_reason] total recommended max title list_version`,
  ],
  [
    'POST tuan/recommendstatus',
    'mid ids is_recommend start_at end_at block | mid id is_recommend',
    board,
  ],
  ['POST tuan/setmallrecommendtitle', 'mid title block', 'mid block title version'],
  [
    'GET voucher/listRecommends',
    'mid city_id is_recommend keyword merchant_id page pageSize',
    'list[id title image merchant_id merchant_name face_cents price_cents min_spend_cents stock_left sold_30d verified_bp store_count_in_mall sale_end_at state city_id city_name mid mall_name is_recommend sort blocked_reason] total recommended max max_per_merchant list_version',
  ],
  [
    'POST voucher/recommendstatus',
    'mid ids is_recommend start_at end_at | mid id is_recommend',
    board,
  ],
  [
    'GET mallFloor/lst',
    'mid',
    'list[id mid mall_name name alias level_no map_image sort is_show store_count version] total no_floor_store_count list_version',
  ],
  ['POST mallFloor/create', `mid ${floorFields}`, 'id sort version list_version'],
  [
    'POST mallFloor/edit',
    `id version ${floorFields} | mid order list_version | id move_store_ids`,
    'id version | list_version | moved failed[store_id reason]',
  ],
  ['GET mallFloor/del', 'id move_to', 'id deleted moved list_version'],
  [
    'GET banner/lst',
    'page pageSize city_id mid position status live keyword',
    'list[id title position image page_link_id link_params link_name link_ok city_ids city_names mid mall_name audience sort start_at end_at status is_live views clicks users version] total list_version',
  ],
  ['POST banner/create', `${bannerFields} status`, 'id sort version list_version'],
  [
    'POST banner/edit',
    `id version ${bannerFields} to_status reason | position city_id mid order list_version`,
    'id version | list_version',
  ],
  ['GET banner/del', 'id', 'id deleted list_version'],
  [
    'GET member/lstBannerClickLog',
    'page pageSize banner_id position city_id mid member_id keyword start_at end_at',
    'list[id banner_id banner_title position member_id nickname phone_masked device_id city_id city_name mid mall_name entry at] total total_capped pv uv',
  ],
  [
    'GET mallCategory/lst',
    'mid parent_id is_show',
    `list[${category} children[${category}]] total list_version`,
  ],
  [
    'POST mallCategory/create',
    `${categoryFields} | mid copy_from_mid confirm`,
    'id sort version list_version | created skipped[name reason] backup_no',
  ],
  [
    'POST mallCategory/edit',
    `id version ${categoryFields} | mid parent_id order list_version`,
    'id version | list_version',
  ],
  ['GET mallCategory/del', 'id clear_recommend', 'id deleted list_version'],
  ['GET mallCategory/get_category_settings', 'mid', `mid mall_name ${gridSettings} version`],
  ['POST mallCategory/set_category_settings', `mid version ${gridSettings}`, 'mid version'],
  [
    'GET recommendSet/get_category_store_list',
    'mid category_id is_recommend floor_id keyword page pageSize',
    'list[id store_id store_name logo mid mall_name category_id category_name floor_name door_no score_x10 on_sale_count gmv_30d_cents status is_recommend sort start_at end_at contract_no set_by_name set_at blocked_reason] total recommended max list_version',
  ],
  [
    'POST recommendSet/set_recommend',
    'mid category_id store_ids is_recommend start_at end_at contract_no | mid category_id store_id is_recommend',
    'ok failed[store_id reason] recommended max list_version',
  ],
  ['POST recommendSet/upd_sort', 'mid block category_id order list_version', 'order list_version'],
  [
    'GET tuan/getBatchUpdateTuanProductTimeLogLst',
    'page pageSize id batch_no product_id operator_id status start_at end_at',
    `list[id batch_no operator_id operator_name reason filter_text changes{mode shift_days ${period}} product_count ok_count fail_count status created_at undo_until_at items[product_id title before{${period}} after{${period}} ok fail_reason]] total`,
  ],
  [
    'POST tuan/batchUpdateStartAndCheckTime',
    `product_ids mode shift_days ${period} reason dry_run expect[product_id version] | ids start_at reason | undo_batch_no reason`,
    `batch_no dry_run ok_count fail_count rows[product_id title version before{${period}} after{${period}} ok fail_reason] | batch_no undone skipped[product_id reason]`,
  ],
  ['GET city/list', 'simp page pageSize keyword status', `[id city_name] | list[${cityRow}] total`],
  [
    'GET city/getCityData',
    'id',
    `[adcode name children[adcode city_name initial lng lat city_id]] | ${cityRow} ${citySettings} admin_names`,
  ],
  ['POST city/add', 'adcode city_name initial pinyin lng lat sort', 'id status version'],
  [
    'POST city/edit',
    'id version city_name lng lat sort is_default to_status reason',
    'id status version',
  ],
  ['GET city/del', 'id', 'id deleted'],
  [
    'GET citySettings/lst',
    'page pageSize keyword status',
    `list[city_id city_name status re_store_count hot_mall_count act_area_count broken_count ${citySettings} updated_at version] total`,
  ],
  ['POST citySettings/edit', `city_id version ${citySettings}`, 'city_id version'],
  [
    'GET citySettings/getReStoreList',
    'city_id keyword page pageSize',
    'list[id city_id city_name store_id store_name logo mid mall_name category_name status mode sort start_at end_at is_live blocked_reason version] total max list_version',
  ],
  [
    'POST citySettings/setReStore',
    'city_id store_ids start_at end_at | id version start_at end_at | city_id order list_version',
    'ok failed[store_id reason] list_version | id version | list_version',
  ],
  ['POST citySettings/delReStore', 'city_id ids | city_id id', 'deleted list_version'],
  [
    'POST citySettings/setHotMallSettings',
    'city_id version title show mode limit_count style mids',
    'city_id version',
  ],
  [
    'GET citySettings/getMallListByCity',
    'city_id keyword status',
    'list[mid name city_id city_name status is_hot hot_sort store_count gmv_30d_cents] total',
  ],
  [
    'GET citySettings/getHotMallSettings',
    'city_id',
    'city_id city_name title show mode limit_count style malls[mid name logo sort status blocked_reason] version',
  ],
  [
    'GET citySettings/getActAreaList',
    'city_id live',
    'list[id city_id city_name title sub_title image page_link_id link_params link_name link_ok audience sort start_at end_at is_live clicks version] total max list_version',
  ],
  [
    'POST citySettings/setActArea',
    'id version city_id title sub_title image page_link_id link_params audience start_at end_at | city_id order list_version',
    'id version list_version | list_version',
  ],
  ['POST citySettings/delActArea', 'id', 'id deleted list_version'],
  [
    'GET member/lstClickLog',
    'page pageSize object_type object_id city_id mid member_id device_id keyword entry start_at end_at before_id',
    'list[id object_type object_id object_name entry member_id nickname phone_masked device_id city_id city_name mid mall_name at] total total_capped pv uv',
  ],
]
