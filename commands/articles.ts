import type { Text } from '#src/domain/text.ts'
import { bulksActions as auditActions, reading } from './audit/audit.ts'
import type { Action, Page } from './command.ts'
import { pinPage } from './home.ts'
import {
  listColumns,
  listSaveView,
  listSearch,
  listSelect,
  listSelectAll,
  listViews,
} from './list.ts'
import { bulksActions, bulksDetailActions } from './order/bulks.ts'
import { elistActions } from './order/elist.ts'
import { eRefundActions } from './order/refund.ts'
import { configActions } from './order/settings.ts'
import { bulksVerifyActions } from './order/verify.ts'
import { bulks as bulksAudit, practice } from './pages/audit.ts'
import { home } from './pages/home.ts'
import { bulks, bulksDetail, bulksVerify, config, elist, eRefund } from './pages/order.ts'
import { exportLogs, logs, risk, verify } from './pages/system.ts'
import * as shell from './shell.ts'
import { verifyActions } from './system/duty.ts'
import { logsActions } from './system/logs.ts'
import { riskHitActions } from './system/risk.ts'

/**
 * A short answer to “how do I …”. `asks` are other ways in which people ask it. A step may name
 * keys as `[[list.select]]`: those the reader has now are shown. `does` is where it is done, the
 * first the most usual: each opens its page and is pointed at.
 */
export type Article = {
  id: string
  title: Text
  asks: readonly string[]
  steps: readonly Text[]
  does: readonly (Action | Page)[]
}
const article = (
  id: string,
  title: Text,
  asks: readonly string[],
  does: Article['does'],
  steps: readonly Text[],
): Article => ({ id, title, asks, steps, does })

export const articles: readonly Article[] = [
  article(
    'audit',
    ['审核一条团购', 'Audit a group-buy'],
    [
      '怎么审核团购',
      '审核商品',
      '通过还是驳回',
      '开始审核',
      'approve or reject a submission',
      'start auditing',
    ],
    [bulksAudit, auditActions.approve, auditActions.reject, practice],
    [
      [
        '打开“团购审核”，光标停在最急的一条，右侧是提交的全部内容。',
        'Open the group-buy audit queue: the most urgent one has the focus, all of it stands to the right.',
      ],
      [
        '先看顶部的机审结果：“不可通过”必须驳回，“机审标记”要自己判断，“提醒”不妨碍通过。',
        'Read what the rules say on top: “Blocks” must be rejected, a flag is for you to judge, a note stands in nobody’s way.',
      ],
      [
        '[[audit.bulks.approve]] 通过；[[audit.bulks.reject]] 驳回，再按数字选原因；[[audit.bulks.askMore]] 要求补充资料。决定后自动到下一条。',
        '[[audit.bulks.approve]] approves; [[audit.bulks.reject]] rejects, then a digit chooses the reason; [[audit.bulks.askMore]] asks for more. The next one follows by itself.',
      ],
      [
        '没有把握就先去“练习审核”，那里不影响真实数据。',
        'Not sure yet? “Practise auditing” touches nothing real.',
      ],
    ],
  ),
  article(
    'claim',
    ['领取与退回审核任务', 'Claim an audit task, and return it'],
    [
      '怎么领取任务',
      '任务被别人占用',
      '退回队列',
      '取消领取',
      '领取多久失效',
      'claim and release',
      'give a task back',
    ],
    [auditActions.claimNext, auditActions.unclaim],
    [
      [
        '[[audit.bulks.claimNext]] 领取最急的下一条，[[audit.bulks.claim]] 领取当前行；领取后别人不能同时决定。',
        '[[audit.bulks.claimNext]] claims the most urgent one, [[audit.bulks.claim]] the row in focus; nobody else can decide it meanwhile.',
      ],
      [
        '领取保留 4 分钟，你在看就自动续；离开、关闭或长时间不动会自动放回。',
        'A claim holds for 4 minutes and renews itself while you look; leaving, closing or idling lets go of it.',
      ],
      [
        '[[audit.bulks.unclaim]] 把选中的任务退回队列。',
        '[[audit.bulks.unclaim]] returns the selected tasks to the queue.',
      ],
    ],
  ),
  article(
    'reject',
    ['驳回并写原因', 'Reject with a reason'],
    ['驳回原因怎么选', '多个驳回原因', '驳回模板', '驳回话术', 'reject reason', 'several reasons'],
    [auditActions.reject, auditActions.batchReject],
    [
      [
        '[[audit.bulks.reject]] 打开驳回，数字 1–9 选原因；Shift+数字可再选几个。',
        '[[audit.bulks.reject]] opens it, digits 1–9 choose the reason; Shift with a digit adds more.',
      ],
      [
        '每个原因带常用话术，里面的 {标题}、{售价} 等会自动填入；也可以自己写，至少 2 个字。',
        'Each reason brings sentences; {title}, {price} and so on are filled in. Or write your own, at least 2 characters.',
      ],
      [
        '选中多行后 [[audit.bulks.batchReject]] 一次驳回。',
        'With rows selected, [[audit.bulks.batchReject]] rejects them at once.',
      ],
    ],
  ),
  article(
    'zen',
    ['专心看一条：专注模式与大图', 'One at a time: zen mode and large pictures'],
    ['全屏看审核', '隐藏列表', '放大图片', '看大图', 'zen', 'focus mode', 'zoom pictures'],
    [reading.zen, reading.zoom],
    [
      [
        '[[audit.bulks.zen]] 收起左侧列表，只看这一条；再按一次回来。',
        '[[audit.bulks.zen]] hides the list; once more brings it back.',
      ],
      [
        '[[audit.bulks.zoom]] 放大图片，方向键换下一张，Esc 关闭。',
        '[[audit.bulks.zoom]] zooms the pictures; arrows change them, Esc closes.',
      ],
    ],
  ),
  article(
    'refundSome',
    ['只退几张券码，如四张退两张', 'Refund some codes only, two of four'],
    [
      '怎么退两张',
      '部分退款',
      '退一部分',
      '四张券退两张',
      '退部分券码',
      'partial refund',
      'refund two of four codes',
    ],
    [bulksDetailActions.refund, bulksDetail],
    [
      [
        '在订单列表按 [[list.open]] 打开订单详情，券码列在下方。',
        'Open the order from its list with [[list.open]]; its codes stand below.',
      ],
      [
        '用 [[list.select]] 选中要退的券码，按 [[order.bulks.detail.refund]]。',
        'Select the codes with [[list.select]], then press [[order.bulks.detail.refund]].',
      ],
      [
        '金额自动按张分摊，多余的分归到最后一张，加起来正好等于实付；确认前会显示应退多少。',
        'The amount is shared by code to the cent, so that all shares make up what was paid; it is shown before you confirm.',
      ],
      [
        '超过你的退款额度时会转给有权限的人复核。',
        'Above your refund limit it goes to a second person.',
      ],
    ],
  ),
  article(
    'refundAll',
    ['给整单退款', 'Refund a whole order'],
    [
      '怎么退款',
      '全额退款',
      '发起退款',
      '退钱给顾客',
      '退款多久到账',
      'refund an order',
      'give the money back',
    ],
    [bulksActions.refund, bulksActions.batchRefund, bulks],
    [
      [
        '在订单列表选中订单，按 [[order.bulks.refund]]，填写原因后确认。',
        'Choose the order in its list, press [[order.bulks.refund]], give the reason and confirm.',
      ],
      [
        '已核销的券码不退；未使用的按实付分摊退回原支付方式。',
        'Redeemed codes are not refunded; unused ones go back by the way they were paid.',
      ],
      [
        '打款失败会显示“退款打款失败”，用“重试失败退款”再打一次。退出去的钱不能撤销。',
        'A payment that failed says so: “Retry failed refunds” sends it again. Money sent can’t be taken back.',
      ],
    ],
  ),
  article(
    'afterSale',
    ['处理电商售后单', 'Deal with an after-sales case'],
    [
      '退货退款怎么处理',
      '同意退货',
      '拒绝售后',
      '收到退货',
      '拒收退货',
      'after-sales',
      'approve a return',
    ],
    [eRefund, eRefundActions.approveReturn, eRefundActions.confirmReceive, eRefundActions.reject],
    [
      [
        '打开“电商售后单”，[[order.eRefund.claim]] 领取；仅退款按 [[order.eRefund.approve]] 同意，要退货按 [[order.eRefund.approveReturn]]。',
        'Open the after-sales list and claim with [[order.eRefund.claim]]; [[order.eRefund.approve]] agrees to a refund, [[order.eRefund.approveReturn]] to a return.',
      ],
      [
        '货到仓库后 [[order.eRefund.confirmReceive]] 确认收到，系统才退款；货不对按 [[order.eRefund.refuseReceive]] 拒收。',
        'When the goods are back, [[order.eRefund.confirmReceive]] confirms and the refund follows; [[order.eRefund.refuseReceive]] refuses wrong goods.',
      ],
      [
        '每一步都有时限，超时系统按规则自动处理；列表按剩余时间排序。',
        'Every step has a deadline; after it the system acts by the rules. The list stands in order of time left.',
      ],
    ],
  ),
  article(
    'shipFile',
    ['用表格批量发货', 'Ship many from a file'],
    [
      '批量发货',
      '导入发货',
      '上传物流单号',
      '快递单号导入',
      'Excel 发货',
      'ship from a file',
      'import tracking numbers',
      'bulk shipping',
    ],
    [elistActions.batchShip, elist],
    [
      [
        '打开“电商订单”，按 [[order.elist.batchShip]]。',
        'Open the e-commerce orders and press [[order.elist.batchShip]].',
      ],
      [
        '粘贴或上传表格：订单号、快递公司、快递单号三列；CSV 和 Excel 都行。',
        'Paste or upload a sheet of three columns: order number, courier, tracking number; CSV and Excel both work.',
      ],
      [
        '先逐行检查，标出单号不对、已发货、不存在的行；确认后只发没有问题的行，其余告诉你为什么。',
        'Every line is checked first; after you confirm, only sound lines are shipped and the others say why not.',
      ],
    ],
  ),
  article(
    'shipOne',
    ['给一单发货、拆单发货', 'Ship an order, or a part of it'],
    [
      '怎么发货',
      '填快递单号',
      '分开发货',
      '拆成几个包裹',
      '改快递单号',
      'ship an order',
      'split a shipment',
      'change the tracking number',
    ],
    [elistActions.ship, elistActions.splitShip, elistActions.editTracking],
    [
      [
        '选中订单按 [[order.elist.ship]]，选快递公司、填单号。',
        'Choose the order, press [[order.elist.ship]], give courier and tracking number.',
      ],
      [
        '一单分几个包裹用 [[order.elist.splitShip]]，先选商品和数量。',
        '[[order.elist.splitShip]] ships a part: choose items and quantities.',
      ],
      [
        '填错了用 [[order.elist.editTracking]] 修改，修改会记入日志。',
        '[[order.elist.editTracking]] mends a wrong number; the log keeps both.',
      ],
    ],
  ),
  article(
    'redeem',
    ['顾客到店，平台代核销', 'Redeem a code for a store'],
    [
      '怎么核销',
      '代核销',
      '帮门店核销',
      '核销券码',
      '门店扫不了码',
      'redeem a code',
      'verify for the store',
    ],
    [bulksDetailActions.verifyForStore, verifyActions.lookupCode, verify],
    [
      [
        '在订单详情选中券码按 [[order.bulks.detail.verifyForStore]]，选门店并写原因。',
        'In the order’s detail choose the code, press [[order.bulks.detail.verifyForStore]], name the store and the reason.',
      ],
      [
        '只有券码时，到“核销员管理”按 [[system.verify.lookupCode]] 先查是谁的。',
        'With nothing but the code, look it up on the verifiers’ page with [[system.verify.lookupCode]].',
      ],
    ],
  ),
  article(
    'unredeem',
    ['撤销错误的核销', 'Take a wrong redemption back'],
    ['核销错了', '撤回核销', '误核销', '取消核销', 'reverse a redemption', 'redeemed by mistake'],
    [bulksVerifyActions.reverse, bulksDetailActions.reverseVerify, bulksVerify],
    [
      [
        '在“团购核销记录”选中记录按 [[order.bulks.verify.reverse]]，或在订单详情按 [[order.bulks.detail.reverseVerify]]。',
        'Choose the record among the redemptions and press [[order.bulks.verify.reverse]], or [[order.bulks.detail.reverseVerify]] in the order’s detail.',
      ],
      [
        '券码恢复未使用，门店的待结算金额同时扣回；已经结算给门店的不能撤销。',
        'The code is unused again and the store’s share is taken back; what was settled already can’t be.',
      ],
    ],
  ),
  article(
    'extend',
    ['延长券码有效期', 'Extend the validity of codes'],
    ['券过期了', '延期', '延长有效期', '过期券还能用吗', 'extend validity', 'expired codes'],
    [bulksActions.extendValidity, bulksActions.batchExtend],
    [
      [
        '选中订单按 [[order.bulks.extendValidity]]，填新的到期日；已过期的会恢复可用。',
        'Choose the order and press [[order.bulks.extendValidity]]; an expired code can be used again.',
      ],
      ['多单一起用 [[order.bulks.batchExtend]]。', '[[order.bulks.batchExtend]] does many.'],
    ],
  ),
  article(
    'freeze',
    ['冻结与解冻订单', 'Freeze and unfreeze an order'],
    ['怎么冻结', '解冻', '订单冻结了怎么办', '暂停使用', 'freeze an order', 'unfreeze'],
    [bulksActions.freeze, bulksActions.unfreeze],
    [
      [
        '[[order.bulks.freeze]] 冻结：券码不能核销，也不能退款、发货，直到解冻。',
        '[[order.bulks.freeze]] freezes: codes can’t be redeemed, nothing is refunded or shipped until it ends.',
      ],
      [
        '[[order.bulks.unfreeze]] 解冻，原来的状态恢复。风控冻结的要由风控先处理命中。',
        '[[order.bulks.unfreeze]] brings the state back. What risk control froze is theirs to release.',
      ],
    ],
  ),
  article(
    'risk',
    ['处理风控命中', 'Deal with a risk hit'],
    ['风控怎么处理', '误报放行', '确认风险', '套现', 'risk hits', 'false alarm', 'release'],
    [risk, riskHitActions.claim, riskHitActions.confirm, riskHitActions.release],
    [
      [
        '打开“平台风控中心”的命中队列，[[system.risk.claim]] 领取，右侧是命中的规则和相关订单。',
        'Open the hits of the risk centre, claim with [[system.risk.claim]]; rule and orders stand to the right.',
      ],
      [
        '[[system.risk.confirm]] 确认风险，[[system.risk.release]] 判为误报并放行。',
        '[[system.risk.confirm]] confirms, [[system.risk.release]] lets it go as a false alarm.',
      ],
    ],
  ),
  article(
    'phone',
    ['查看完整手机号', 'See a whole phone number'],
    [
      '看手机号',
      '手机号打星号',
      '号码被隐藏',
      '查看联系方式',
      '脱敏',
      'reveal a phone number',
      'masked phone',
    ],
    [bulksActions.revealPhone],
    [
      [
        '手机号默认打星号。选中订单按 [[order.bulks.revealPhone]]，选查看原因。',
        'Numbers are masked. Choose the order, press [[order.bulks.revealPhone]] and say why.',
      ],
      [
        '只显示一会儿，每次查看都记入日志并占用当天次数；导出文件里仍是打星号的。',
        'It is shown for a moment, logged, and counts against the day’s quota; exports stay masked.',
      ],
    ],
  ),
  article(
    'export',
    ['导出列表，文件在哪里', 'Export a list, and find the file'],
    [
      '怎么导出',
      '导出的文件在哪',
      '下载文件',
      '导出 Excel',
      '导出订单',
      '我的导出',
      'export orders',
      'where is my file',
      'download',
    ],
    [shell.myExports, bulksActions.export, exportLogs],
    [
      [
        '先用筛选留下要的行，再按 [[order.bulks.export]]；导出的就是筛选出来的全部行，不只是这一页。',
        'Filter the list first, then press [[order.bulks.export]]: all rows that match are exported, not only this page.',
      ],
      [
        '文件在后台生成，好了会提示；右上角“我的任务与导出”（[[workbench.myExports]]）里下载。',
        'The file is made behind your back and you are told; “My jobs and exports” at the top right ([[workbench.myExports]]) has it.',
      ],
      [
        '以前的文件和失败的任务在“文件导出记录”，过期可用相同条件再导出（[[system.exportLogs.rerun]]）。',
        'Earlier files and failed jobs stand among the export jobs; [[system.exportLogs.rerun]] makes one again.',
      ],
    ],
  ),
  article(
    'undo',
    ['撤销刚才的操作', 'Undo what you just did'],
    ['按错了', '反悔', '撤回', '误操作', '怎么撤销', 'undo', 'take it back', 'made a mistake'],
    [shell.undo, shell.undoList],
    [
      [
        '[[workbench.undo]] 撤销最近一步，批量操作一次整批撤回；刷新或换电脑后仍然有效。',
        '[[workbench.undo]] takes the last step back, a whole batch at once; also after a reload and on another machine.',
      ],
      [
        '[[workbench.undoList]] 列出还能撤销的操作和剩余时间。',
        '[[workbench.undoList]] lists what can still be undone, and for how long.',
      ],
      [
        '钱已打出、通知已发出的不能撤销，确认之前会说明。',
        'Money sent and messages sent can’t be undone; you are told before you confirm.',
      ],
    ],
  ),
  article(
    'bulk',
    ['一次处理很多行', 'Do something to many rows at once'],
    ['批量操作', '全选', '多选', '选很多行', '批量失败', 'select many rows', 'bulk', 'select all'],
    [listSelect, listSelectAll, shell.bulkReport, shell.myExports],
    [
      [
        '[[list.select]] 选当前行，[[list.extendDown]] 向下扩选，[[list.selectAll]] 选全部匹配的行（跨页，最多 2000）。',
        '[[list.select]] selects the row, [[list.extendDown]] goes on downwards, [[list.selectAll]] takes all that match, over pages, 2000 at most.',
      ],
      [
        '再按操作的键；失败的行按原因归类、保持选中，[[workbench.bulkReport]] 看明细、重试或下载。',
        'Then the action’s key; rows that fail are grouped by reason and stay selected, [[workbench.bulkReport]] has the details.',
      ],
      [
        '上千行的表格（如批量生成短链）在后台分批完成，关掉页面也会继续；进度、取消和未完成明细都在右上角“我的任务与导出”（[[workbench.myExports]]）。',
        'A table of thousands of lines, such as short links, is done in the background, also with the page closed; “My jobs and exports” at the top right ([[workbench.myExports]]) shows how far it is, cancels it and has what was not done.',
      ],
    ],
  ),
  article(
    'find',
    ['查一个订单、券码或手机号', 'Find an order, a code or a phone number'],
    [
      '怎么查订单',
      '搜索订单号',
      '按手机号查',
      '查券码',
      '找订单',
      'find an order',
      'search by phone',
    ],
    [shell.palette, listSearch],
    [
      [
        '[[workbench.palette]] 打开命令面板，直接粘贴订单号、券码、退款单号或手机号，全角、空格、“订单号：”都能识别。',
        '[[workbench.palette]] opens the palette: paste an order, code or refund number or a phone, however it is written.',
      ],
      [
        '在列表里按 [[list.search]] 只筛选这个列表。',
        'In a list, [[list.search]] filters that list only.',
      ],
    ],
  ),
  article(
    'split',
    ['分屏：并排打开几个页面', 'Split panes: several pages side by side'],
    [
      '怎么分屏',
      '同时看两个页面',
      '并排',
      '窗格',
      '左右两栏',
      'split the screen',
      'two pages side by side',
      'panes',
    ],
    [shell.splitRight, shell.splitBelow, shell.closePane, shell.maximise],
    [
      [
        '[[workbench.splitRight]] 向右分屏，[[workbench.splitBelow]] 向下分屏；Alt+点击链接在旁边打开。',
        '[[workbench.splitRight]] splits to the right, [[workbench.splitBelow]] below; Alt with a click opens a link beside.',
      ],
      [
        '[[workbench.focusLeft]]、[[workbench.focusRight]] 换到左右窗格，[[workbench.maximise]] 最大化，[[workbench.closePane]] 关闭。',
        '[[workbench.focusLeft]] and [[workbench.focusRight]] go between panes, [[workbench.maximise]] maximises, [[workbench.closePane]] closes.',
      ],
    ],
  ),
  article(
    'link',
    ['让一个窗格跟着另一个的当前行', 'Link panes: one follows the row of another'],
    ['窗格联动', '列表旁边显示详情', '跟着当前行变', '怎么联动', 'link panes', 'follow the row'],
    [shell.followBeside, shell.link[0]!, shell.unlink],
    [
      [
        '在列表按 [[workbench.followBeside]]：旁边打开详情，跟着你移动的行变化。',
        'In a list press [[workbench.followBeside]]: the detail opens beside it and follows the row in focus.',
      ],
      [
        '也可以把任意几个窗格放进同一通道，如 [[workbench.link1]]；[[workbench.unlink]] 固定不再跟随。',
        'Or put any panes on one channel, such as [[workbench.link1]]; [[workbench.unlink]] pins a pane.',
      ],
    ],
  ),
  article(
    'layout',
    ['保存和共享窗格布局', 'Save and share a layout of panes'],
    [
      '保存布局',
      '工作区',
      '恢复窗格',
      '布局分享给同事',
      'save the layout',
      'workspace',
      'share a layout',
    ],
    [shell.saveLayoutAs, shell.layoutList, shell.copyLayoutLink, shell.undoLayout],
    [
      [
        '[[workbench.layout.save]] 另存布局，[[workbench.layouts]] 打开已保存、团队和推荐的布局。',
        '[[workbench.layout.save]] saves it under a name, [[workbench.layouts]] opens yours, the team’s and the recommended ones.',
      ],
      [
        '[[workbench.copyLayoutLink]] 复制链接给同事；关错了窗格用 [[workbench.undoLayout]] 找回。',
        '[[workbench.copyLayoutLink]] copies a link for others; [[workbench.undoLayout]] brings a closed pane back.',
      ],
    ],
  ),
  article(
    'view',
    ['把筛选和列保存为视图', 'Save filters and columns as a view'],
    [
      '保存筛选',
      '保存视图',
      '常用筛选',
      '自定义列',
      '列太多',
      'save a filter',
      'saved view',
      'choose columns',
    ],
    [listSaveView, listViews, listColumns],
    [
      [
        '调好筛选、排序和列（[[list.columns]]），在“视图”里选“保存为视图”；“近 7 天”这样的日期会跟着今天走。',
        'Set filters, order and columns ([[list.columns]]), then “Save as a view”; dates such as “last 7 days” move with today.',
      ],
      [
        '[[list.views]] 打开视图；也能在命令面板里按名字打开，或发布给团队。',
        '[[list.views]] opens one; the palette finds it by name, and it may be published to the team.',
      ],
    ],
  ),
  article(
    'keys',
    ['查看和修改快捷键', 'See and change shortcuts'],
    [
      '快捷键有哪些',
      '改快捷键',
      '自定义按键',
      '键位冲突',
      '单字母键关掉',
      'keyboard shortcuts',
      'rebind keys',
      'turn letters off',
    ],
    [shell.shortcuts, shell.bindKeys, shell.keyCard, shell.hints],
    [
      [
        '[[workbench.shortcuts]] 列出当前页面能用的全部按键，直接按某个键就能查它做什么。',
        '[[workbench.shortcuts]] lists every key of the page; press one to see what it does.',
      ],
      [
        '“自定义快捷键”里录下新按键，冲突会当场指出；单字母键可以整体关闭或加 Alt。',
        '“Customise shortcuts” records other keys and names clashes at once; plain letters can be switched off or given Alt.',
      ],
      [
        '不想记就按 [[workbench.hints]]，每个控件上显示字母。',
        'Or press [[workbench.hints]]: every control shows its letters.',
      ],
    ],
  ),
  article(
    'rules',
    ['修改到店订单规则', 'Change the rules of in-store orders'],
    ['改规则', '自动过期退款', '规则试算', '回滚规则', 'change order rules', 'simulate rules'],
    [config, configActions.simulate, configActions.save],
    [
      [
        '打开“到店订单规则”，改好后按 [[order.config.simulate]] 先试算会影响多少订单，再 [[order.config.save]] 保存。',
        'Open the rules, change them, try the effect with [[order.config.simulate]], then save with [[order.config.save]].',
      ],
      [
        '每次保存是一个版本，[[order.config.history]] 查看历史，可以回滚。',
        'Every save is a version; [[order.config.history]] shows them and can go back.',
      ],
    ],
  ),
  article(
    'who',
    ['查是谁改的', 'See who changed something'],
    ['谁改的', '操作日志', '修改历史', '谁退的款', 'who changed this', 'operation log', 'history'],
    [logs, logsActions.diff],
    [
      [
        '在列表或详情选中一行，用“修改历史”看这一条的全部改动；表单字段旁的时钟图标看这个字段。',
        'With a row chosen, “Change history” shows all that was ever changed of it; the clock beside a field shows that field.',
      ],
      [
        '“后台操作日志”可以按人、对象、字段查，[[system.logs.diff]] 对比改动前后。',
        'The operation log is searched by person, object and field; [[system.logs.diff]] compares before and after.',
      ],
    ],
  ),
  article(
    'look',
    ['换深色主题、高对比度或英文', 'Dark theme, high contrast, English'],
    [
      '换成深色',
      '深色模式',
      '夜间模式',
      '看不清',
      '字太淡',
      '切换语言',
      '字太小',
      '放大',
      'dark mode',
      'high contrast',
      'language',
      'zoom',
    ],
    [shell.themeDark, shell.contrastMore, shell.languageEn],
    [
      [
        '右上角你的名字里选主题和语言；命令面板里输入“深色”“高对比度”“English”也行。',
        'Your name at the top right has theme and language; the palette finds “dark”, “contrast” and “中文” too.',
      ],
      [
        '字太小用浏览器缩放（Ctrl 和 +），到 200% 页面仍可完整使用。',
        'The browser’s zoom (Ctrl and +) makes it larger; everything works up to 200 %.',
      ],
    ],
  ),
  article(
    'home',
    ['把常用页面放到手边', 'Keep your pages at hand'],
    ['固定页面', '收藏页面', '常用页面', '首页', 'pin a page', 'favourites'],
    [pinPage, home],
    [
      [
        '在任一页面按 [[home.pinPage]]，它就固定在工作台上。',
        'On any page press [[home.pinPage]]: it stands on the workbench home.',
      ],
      [
        '[[workbench.palette]] 输入拼音首字母也能直接到，如 tgsh 到团购审核。',
        '[[workbench.palette]] and initials take you anywhere: tgsh is the group-buy audit.',
      ],
    ],
  ),
]
