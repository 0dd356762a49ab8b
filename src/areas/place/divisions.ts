import type { Text } from '#src/domain/text.ts'

/**
 * A city as the division table of China knows it; the pin is null where it is not known.
 * Coordinates are decimal texts, as the map service speaks them.
 */
export type Division = {
  adcode: string
  city_name: string
  pinyin: string
  initial: string
  lng: string | null
  lat: string | null
}
export type Province = { adcode: string; name: string; children: Division[] }

/**
 * Municipalities, prefecture-level cities, prefectures and leagues, and the county-level cities
 * that a province administers itself. A line that begins with # is a province; the others hold its
 * cities: the last four digits of the code, name, pinyin, longitude, latitude (of the seat of
 * government).
 */
const table = `
# 110000 北京市
0000 北京 beijing 116.407 39.904
# 120000 天津市
0000 天津 tianjin 117.201 39.084
# 130000 河北省
0100 石家庄 shijiazhuang 114.515 38.042|0200 唐山 tangshan 118.180 39.631|0300 秦皇岛 qinhuangdao 119.518 39.889|0400 邯郸 handan 114.539 36.626|0500 邢台 xingtai 114.505 37.071
0600 保定 baoding 115.465 38.874|0700 张家口 zhangjiakou 114.886 40.769|0800 承德 chengde 117.963 40.953|0900 沧州 cangzhou 116.839 38.304|1000 廊坊 langfang 116.684 39.538
1100 衡水 hengshui 115.670 37.739
# 140000 山西省
0100 太原 taiyuan 112.549 37.871|0200 大同 datong 113.300 40.077|0300 阳泉 yangquan 113.581 37.857|0400 长治 changzhi 113.116 36.195|0500 晋城 jincheng 112.852 35.491
0600 朔州 shuozhou 112.433 39.332|0700 晋中 jinzhong 112.753 37.687|0800 运城 yuncheng 111.007 35.026|0900 忻州 xinzhou 112.734 38.417|1000 临汾 linfen 111.519 36.088
1100 吕梁 lvliang 111.145 37.519
# 150000 内蒙古自治区
0100 呼和浩特 huhehaote 111.750 40.842|0200 包头 baotou 109.954 40.621|0300 乌海 wuhai 106.794 39.655|0400 赤峰 chifeng 118.887 42.258|0500 通辽 tongliao 122.243 43.653
0600 鄂尔多斯 eerduosi 109.781 39.608|0700 呼伦贝尔 hulunbeier 119.766 49.212|0800 巴彦淖尔 bayannaoer 107.388 40.743|0900 乌兰察布 wulanchabu 113.133 40.995|2200 兴安盟 xinganmeng 122.038 46.083
2500 锡林郭勒盟 xilinguolemeng 116.048 43.934|2900 阿拉善盟 alashanmeng 105.729 38.852
# 210000 辽宁省
0100 沈阳 shenyang 123.465 41.677|0200 大连 dalian 121.615 38.914|0300 鞍山 anshan 122.994 41.109|0400 抚顺 fushun 123.957 41.881|0500 本溪 benxi 123.685 41.487|0600 丹东 dandong 124.354 40.001
0700 锦州 jinzhou 121.127 41.096|0800 营口 yingkou 122.219 40.625|0900 阜新 fuxin 121.670 42.022|1000 辽阳 liaoyang 123.237 41.268|1100 盘锦 panjin 122.171 40.720|1200 铁岭 tieling 123.726 42.224
1300 朝阳 chaoyang 120.451 41.574|1400 葫芦岛 huludao 120.837 40.711
# 220000 吉林省
0100 长春 changchun 125.323 43.817|0200 吉林 jilin 126.550 43.838|0300 四平 siping 124.350 43.166|0400 辽源 liaoyuan 125.144 42.888|0500 通化 tonghua 125.940 41.728|0600 白山 baishan 126.415 41.944
0700 松原 songyuan 124.825 45.142|0800 白城 baicheng 122.839 45.620|2400 延边州 yanbianzhou 129.472 42.909
# 230000 黑龙江省
0100 哈尔滨 haerbin 126.535 45.804|0200 齐齐哈尔 qiqihaer 123.918 47.354|0300 鸡西 jixi 130.969 45.295|0400 鹤岗 hegang 130.298 47.350|0500 双鸭山 shuangyashan 131.141 46.676
0600 大庆 daqing 125.104 46.589|0700 伊春 yichun 128.841 47.727|0800 佳木斯 jiamusi 130.319 46.800|0900 七台河 qitaihe 131.003 45.771|1000 牡丹江 mudanjiang 129.633 44.552
1100 黑河 heihe 127.528 50.245|1200 绥化 suihua 126.969 46.654|2700 大兴安岭地区 daxinganlingdiqu 124.712 52.335
# 310000 上海市
0000 上海 shanghai 121.474 31.230
# 320000 江苏省
0100 南京 nanjing 118.797 32.060|0200 无锡 wuxi 120.312 31.491|0300 徐州 xuzhou 117.284 34.206|0400 常州 changzhou 119.974 31.811|0500 苏州 suzhou 120.586 31.297|0600 南通 nantong 120.895 31.981
0700 连云港 lianyungang 119.222 34.597|0800 淮安 huaian 119.113 33.551|0900 盐城 yancheng 120.163 33.348|1000 扬州 yangzhou 119.413 32.394|1100 镇江 zhenjiang 119.426 32.188
1200 泰州 taizhou 119.923 32.456|1300 宿迁 suqian 118.275 33.963
# 330000 浙江省
0100 杭州 hangzhou 120.210 30.247|0200 宁波 ningbo 121.623 29.860|0300 温州 wenzhou 120.699 27.994|0400 嘉兴 jiaxing 120.755 30.746|0500 湖州 huzhou 120.087 30.894|0600 绍兴 shaoxing 120.580 30.030
0700 金华 jinhua 119.647 29.079|0800 衢州 quzhou 118.859 28.970|0900 舟山 zhoushan 122.207 29.986|1000 台州 taizhou 121.421 28.656|1100 丽水 lishui 119.923 28.468
# 340000 安徽省
0100 合肥 hefei 117.227 31.821|0200 芜湖 wuhu 118.433 31.353|0300 蚌埠 bengbu 117.388 32.917|0400 淮南 huainan 117.018 32.587|0500 马鞍山 maanshan 118.507 31.670|0600 淮北 huaibei 116.798 33.956
0700 铜陵 tongling 117.811 30.945|0800 安庆 anqing 117.115 30.532|1000 黄山 huangshan 118.338 29.715|1100 滁州 chuzhou 118.328 32.256|1200 阜阳 fuyang 115.814 32.891|1300 宿州 suzhou 116.964 33.647
1500 六安 luan 116.520 31.735|1600 亳州 bozhou 115.779 33.845|1700 池州 chizhou 117.492 30.665|1800 宣城 xuancheng 118.759 30.940
# 350000 福建省
0100 福州 fuzhou 119.296 26.074|0200 厦门 xiamen 118.089 24.480|0300 莆田 putian 119.008 25.454|0400 三明 sanming 117.639 26.263|0500 泉州 quanzhou 118.676 24.874|0600 漳州 zhangzhou 117.647 24.513
0700 南平 nanping 118.178 26.642|0800 龙岩 longyan 117.017 25.075|0900 宁德 ningde 119.548 26.666
# 360000 江西省
0100 南昌 nanchang 115.858 28.683|0200 景德镇 jingdezhen 117.178 29.269|0300 萍乡 pingxiang 113.887 27.658|0400 九江 jiujiang 115.953 29.662|0500 新余 xinyu 114.917 27.818
0600 鹰潭 yingtan 117.042 28.273|0700 赣州 ganzhou 114.933 25.831|0800 吉安 jian 114.967 27.091|0900 宜春 yichun 114.417 27.816|1000 抚州 fuzhou 116.358 27.949|1100 上饶 shangrao 117.943 28.455
# 370000 山东省
0100 济南 jinan 117.120 36.651|0200 青岛 qingdao 120.383 36.067|0300 淄博 zibo 118.055 36.813|0400 枣庄 zaozhuang 117.324 34.810|0500 东营 dongying 118.675 37.434|0600 烟台 yantai 121.448 37.465
0700 潍坊 weifang 119.162 36.707|0800 济宁 jining 116.587 35.415|0900 泰安 taian 117.088 36.200|1000 威海 weihai 122.120 37.513|1100 日照 rizhao 119.527 35.417|1300 临沂 linyi 118.356 35.105
1400 德州 dezhou 116.359 37.437|1500 聊城 liaocheng 115.985 36.457|1600 滨州 binzhou 117.971 37.382|1700 菏泽 heze 115.481 35.234
# 410000 河南省
0100 郑州 zhengzhou 113.625 34.747|0200 开封 kaifeng 114.308 34.798|0300 洛阳 luoyang 112.454 34.620|0400 平顶山 pingdingshan 113.193 33.766|0500 安阳 anyang 114.392 36.098
0600 鹤壁 hebi 114.297 35.748|0700 新乡 xinxiang 113.927 35.304|0800 焦作 jiaozuo 113.242 35.216|0900 濮阳 puyang 115.029 35.762|1000 许昌 xuchang 113.853 34.036|1100 漯河 luohe 114.016 33.581
1200 三门峡 sanmenxia 111.200 34.773|1300 南阳 nanyang 112.528 32.991|1400 商丘 shangqiu 115.656 34.415|1500 信阳 xinyang 114.091 32.148|1600 周口 zhoukou 114.697 33.626
1700 驻马店 zhumadian 114.022 33.013|9001 济源 jiyuan 112.602 35.067
# 420000 湖北省
0100 武汉 wuhan 114.305 30.593|0200 黄石 huangshi 115.039 30.201|0300 十堰 shiyan 110.799 32.630|0500 宜昌 yichang 111.286 30.692|0600 襄阳 xiangyang 112.122 32.009|0700 鄂州 ezhou 114.895 30.391
0800 荆门 jingmen 112.199 31.035|0900 孝感 xiaogan 113.957 30.918|1000 荆州 jingzhou 112.240 30.335|1100 黄冈 huanggang 114.872 30.454|1200 咸宁 xianning 114.323 29.841
1300 随州 suizhou 113.382 31.690|2800 恩施州 enshizhou 109.488 30.272|9004 仙桃 xiantao 113.424 30.361|9005 潜江 qianjiang 112.900 30.402|9006 天门 tianmen 113.166 30.663
9021 神农架林区 shennongjialinqu 110.676 31.745
# 430000 湖南省
0100 长沙 changsha 112.939 28.228|0200 株洲 zhuzhou 113.134 27.828|0300 湘潭 xiangtan 112.944 27.830|0400 衡阳 hengyang 112.572 26.893|0500 邵阳 shaoyang 111.468 27.239
0600 岳阳 yueyang 113.129 29.357|0700 常德 changde 111.699 29.032|0800 张家界 zhangjiajie 110.479 29.117|0900 益阳 yiyang 112.355 28.554|1000 郴州 chenzhou 113.015 25.770
1100 永州 yongzhou 111.613 26.420|1200 怀化 huaihua 110.002 27.570|1300 娄底 loudi 111.995 27.700|3100 湘西州 xiangxizhou 109.739 28.312
# 440000 广东省
0100 广州 guangzhou 113.264 23.129|0200 韶关 shaoguan 113.598 24.811|0300 深圳 shenzhen 114.058 22.544|0400 珠海 zhuhai 113.577 22.271|0500 汕头 shantou 116.682 23.354
0600 佛山 foshan 113.121 23.021|0700 江门 jiangmen 113.082 22.579|0800 湛江 zhanjiang 110.357 21.270|0900 茂名 maoming 110.925 21.663|1200 肇庆 zhaoqing 112.465 23.047
1300 惠州 huizhou 114.416 23.112|1400 梅州 meizhou 116.123 24.289|1500 汕尾 shanwei 115.375 22.787|1600 河源 heyuan 114.701 23.744|1700 阳江 yangjiang 111.983 21.858
1800 清远 qingyuan 113.056 23.682|1900 东莞 dongguan 113.752 23.021|2000 中山 zhongshan 113.393 22.518|5100 潮州 chaozhou 116.622 23.657|5200 揭阳 jieyang 116.373 23.550
5300 云浮 yunfu 112.044 22.915
# 450000 广西壮族自治区
0100 南宁 nanning 108.367 22.817|0200 柳州 liuzhou 109.429 24.326|0300 桂林 guilin 110.180 25.235|0400 梧州 wuzhou 111.279 23.477|0500 北海 beihai 109.120 21.481
0600 防城港 fangchenggang 108.354 21.687|0700 钦州 qinzhou 108.654 21.980|0800 贵港 guigang 109.599 23.111|0900 玉林 yulin 110.181 22.654|1000 百色 baise 106.618 23.902
1100 贺州 hezhou 111.567 24.404|1200 河池 hechi 108.085 24.693|1300 来宾 laibin 109.222 23.750|1400 崇左 chongzuo 107.365 22.377
# 460000 海南省
0100 海口 haikou 110.198 20.044|0200 三亚 sanya 109.512 18.253|0300 三沙 sansha 112.339 16.832|0400 儋州 danzhou 109.581 19.521|9001 五指山 wuzhishan 109.517 18.775|9002 琼海 qionghai 110.475 19.259
9005 文昌 wenchang 110.798 19.543|9006 万宁 wanning 110.391 18.795|9007 东方 dongfang 108.652 19.095|9021 定安县 dinganxian 110.359 19.681|9022 屯昌县 tunchangxian 110.103 19.352
9023 澄迈县 chengmaixian 110.007 19.738|9024 临高县 lingaoxian 109.691 19.912|9025 白沙县 baishaxian 109.451 19.225|9026 昌江县 changjiangxian 109.056 19.298|9027 乐东县 ledongxian 109.173 18.750
9028 陵水县 lingshuixian 110.037 18.506|9029 保亭县 baotingxian 109.703 18.639|9030 琼中县 qiongzhongxian 109.838 19.033
# 500000 重庆市
0000 重庆 chongqing 106.552 29.563
# 510000 四川省
0100 成都 chengdu 104.067 30.573|0300 自贡 zigong 104.778 29.339|0400 攀枝花 panzhihua 101.719 26.582|0500 泸州 luzhou 105.442 28.872|0600 德阳 deyang 104.398 31.127
0700 绵阳 mianyang 104.679 31.468|0800 广元 guangyuan 105.843 32.435|0900 遂宁 suining 105.593 30.533|1000 内江 neijiang 105.058 29.580|1100 乐山 leshan 103.766 29.552
1300 南充 nanchong 106.111 30.838|1400 眉山 meishan 103.848 30.077|1500 宜宾 yibin 104.643 28.752|1600 广安 guangan 106.633 30.456|1700 达州 dazhou 107.468 31.209|1800 雅安 yaan 103.042 30.011
1900 巴中 bazhong 106.748 31.868|2000 资阳 ziyang 104.628 30.129|3200 阿坝州 abazhou 102.225 31.899|3300 甘孜州 ganzizhou 101.962 30.049|3400 凉山州 liangshanzhou 102.268 27.882
# 520000 贵州省
0100 贵阳 guiyang 106.630 26.648|0200 六盘水 liupanshui 104.831 26.593|0300 遵义 zunyi 106.927 27.726|0400 安顺 anshun 105.948 26.253|0500 毕节 bijie 105.292 27.284|0600 铜仁 tongren 109.190 27.732
2300 黔西南州 qianxinanzhou 104.906 25.088|2600 黔东南州 qiandongnanzhou 107.983 26.584|2700 黔南州 qiannanzhou 107.522 26.253
# 530000 云南省
0100 昆明 kunming 102.833 24.880|0300 曲靖 qujing 103.796 25.490|0400 玉溪 yuxi 102.527 24.347|0500 保山 baoshan 99.162 25.112|0600 昭通 zhaotong 103.718 27.338|0700 丽江 lijiang 100.228 26.855
0800 普洱 puer 100.966 22.825|0900 临沧 lincang 100.089 23.884|2300 楚雄州 chuxiongzhou 101.528 25.046|2500 红河州 honghezhou 103.375 23.363|2600 文山州 wenshanzhou 104.216 23.401
2800 西双版纳州 xishuangbannazhou 100.797 22.009|2900 大理州 dalizhou 100.268 25.607|3100 德宏州 dehongzhou 98.585 24.433|3300 怒江州 nujiangzhou 98.857 25.818|3400 迪庆州 diqingzhou 99.703 27.819
# 540000 西藏自治区
0100 拉萨 lasa 91.172 29.652|0200 日喀则 rikaze 88.881 29.267|0300 昌都 changdu 97.172 31.141|0400 林芝 linzhi 94.362 29.649|0500 山南 shannan 91.773 29.237|0600 那曲 naqu 92.052 31.477
2500 阿里地区 alidiqu 80.106 32.501
# 610000 陕西省
0100 西安 xian 108.940 34.342|0200 铜川 tongchuan 108.945 34.898|0300 宝鸡 baoji 107.238 34.363|0400 咸阳 xianyang 108.709 34.330|0500 渭南 weinan 109.471 34.520|0600 延安 yanan 109.494 36.651
0700 汉中 hanzhong 107.023 33.067|0800 榆林 yulin 109.734 38.285|0900 安康 ankang 109.029 32.685|1000 商洛 shangluo 109.919 33.873
# 620000 甘肃省
0100 兰州 lanzhou 103.834 36.061|0200 嘉峪关 jiayuguan 98.289 39.773|0300 金昌 jinchang 102.188 38.521|0400 白银 baiyin 104.139 36.545|0500 天水 tianshui 105.725 34.581
0600 武威 wuwei 102.638 37.928|0700 张掖 zhangye 100.450 38.925|0800 平凉 pingliang 106.665 35.543|0900 酒泉 jiuquan 98.494 39.733|1000 庆阳 qingyang 107.644 35.709|1100 定西 dingxi 104.592 35.607
1200 陇南 longnan 104.961 33.371|2900 临夏州 linxiazhou 103.211 35.601|3000 甘南州 gannanzhou 102.911 34.983
# 630000 青海省
0100 西宁 xining 101.778 36.617|0200 海东 haidong 102.104 36.502|2200 海北州 haibeizhou 100.901 36.954|2300 黄南州 huangnanzhou 102.015 35.520|2500 海南州 hainanzhou 100.623 36.297
2600 果洛州 guoluozhou 100.245 34.471|2700 玉树州 yushuzhou 97.092 33.012|2800 海西州 haixizhou 97.370 37.377
# 640000 宁夏回族自治区
0100 银川 yinchuan 106.231 38.487|0200 石嘴山 shizuishan 106.383 38.983|0300 吴忠 wuzhong 106.199 37.997|0400 固原 guyuan 106.243 36.016|0500 中卫 zhongwei 105.197 37.500
# 650000 新疆维吾尔自治区
0100 乌鲁木齐 wulumuqi 87.617 43.826|0200 克拉玛依 kelamayi 84.889 45.580|0400 吐鲁番 tulufan 89.190 42.951|0500 哈密 hami 93.515 42.819|2300 昌吉州 changjizhou 87.308 44.011
2700 博尔塔拉州 boertalazhou 82.066 44.906|2800 巴音郭楞州 bayinguolengzhou 86.145 41.764|2900 阿克苏地区 akesudiqu 80.261 41.169|3000 克孜勒苏州 kezilesuzhou 76.168 39.715
3100 喀什地区 kashidiqu 75.990 39.471|3200 和田地区 hetiandiqu 79.922 37.114|4000 伊犁州 yilizhou 81.324 43.917|4200 塔城地区 tachengdiqu 82.980 46.745|4300 阿勒泰地区 aletaidiqu 88.141 47.845
9001 石河子 shihezi 86.081 44.306|9002 阿拉尔 alaer 81.281 40.548|9003 图木舒克 tumushuke 79.074 39.869|9004 五家渠 wujiaqu 87.543 44.167|9005 北屯 beitun 87.825 47.353
9006 铁门关 tiemenguan 85.501 41.827|9007 双河 shuanghe 82.354 44.840|9008 可克达拉 kekedala|9009 昆玉 kunyu|9010 胡杨河 huyanghe|9011 新星 xinxing|9012 白杨 baiyang
# 810000 香港特别行政区
0000 香港 xianggang 114.171 22.277
# 820000 澳门特别行政区
0000 澳门 aomen 113.543 22.187
`

const cityOf = (province: string, entry: string): Division => {
  const [code, city_name, pinyin, lng = null, lat = null] = entry.split(' ') as [
    string,
    string,
    string,
    string?,
    string?,
  ]
  return {
    adcode: province.slice(0, 2) + code,
    city_name,
    pinyin,
    initial: pinyin[0]!.toUpperCase(),
    lng,
    lat,
  }
}
/** Every province with its cities, in the order of their codes. */
export const provinces: readonly Province[] = table
  .split('#')
  .slice(1)
  .map(part => {
    const [head, ...lines] = part.trim().split('\n') as [string, ...string[]]
    const [adcode, name] = head.trim().split(' ') as [string, string]
    return {
      adcode,
      name,
      children: lines.flatMap(line => line.split('|').map(entry => cityOf(adcode, entry))),
    }
  })
export const divisions: ReadonlyMap<string, Division> = new Map(
  provinces.flatMap(province => province.children.map(one => [one.adcode, one])),
)
/** Provinces by their codes, as a choice offers them; the country has one name for each. */
export const provinceNames: Readonly<Record<string, Text>> = Object.fromEntries(
  provinces.map(({ adcode, name }) => [adcode, [name, name]]),
)
