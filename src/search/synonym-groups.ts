/** Words that mean the same in notes about software or the people who write it, a group a line: Chinese words, then
 * English ones with common abbreviations. They are chosen by their meaning; a word that as often means something else
 * (key, table, class) is left out. Chinese words have at least two characters and are folded like terms (复盖率 for
 * 覆盖率); English ones are in lower case, and several of them are joined by hyphens. Kept as text, since building a map
 * takes longer than all lookups of a call. */
export const SYNONYM_GROUPS = `
删除 移除 去除 清除 delete remove erase
清空 清除 清理 clear
创建 新建 建立 create
生成 generate create
获取 取得 得到 get retrieve fetch obtain
读取 read load
加载 载入 load
保存 存储 save store
写入 write
修改 更改 变更 改动 编辑 modify change edit
更新 升级 update upgrade
降级 downgrade
查找 搜索 检索 查询 寻找 search find query lookup
显示 展示 show display
显示 查看 列出 打印
查看 view
列出 list
打印 print
安装 install setup
卸载 uninstall
配置 设置 config configuration setting
文件夹 目录 folder directory dir
文件 file
路径 path
复制 拷贝 copy duplicate
粘贴 paste
移动 move
重命名 改名 rename
启动 开启 start launch
停止 终止 结束 stop terminate kill
重启 重新启动 restart reboot
关闭 close shutdown
打开 open
退出 exit quit
连接 connect
断开 断连 disconnect
超时 timeout
错误 报错 出错 error err
异常 exception
警告 warning
失败 fail
成功 success
崩溃 闪退 crash
卡死 卡住 hang freeze
日志 log
缓存 cache
缓冲 缓冲区 buffer
内存 memory
记忆 memory
泄漏 泄露 leak
溢出 overflow
数据 data
数据库 database db
索引 index
查询语句 sql
事务 transaction
线程 thread
进程 process
协程 coroutine goroutine
加锁 锁定 lock
死锁 deadlock
竞态 竞争条件 race race-condition
队列 queue
消息 message msg
消息队列 mq message-queue
发送 send
接收 receive
登录 登陆 login signin
登出 退出登录 注销 logout signout
注册 register registration signup
密码 口令 password passwd pwd
用户 user
用户名 username
管理员 admin administrator
账号 帐号 账户 帐户 account
权限 permission
角色 role
认证 鉴权 身份验证 authentication auth
授权 authorization auth
令牌 token
会话 session
单点登录 sso single-sign-on
接口 interface api
服务 service
微服务 microservice
部署 deploy
上线 发布 发版 release publish deploy
生产环境 线上 production prod
测试环境 staging
测试 test
单元测试 单测 unittest unit-test
断言 assert
模拟 mock simulate
复盖率 coverage
构建 build
编译 compile
打包 package bundle
依赖 dependency dep
版本 version
分支 branch
提交 commit
提交 submit
推送 push
拉取 pull fetch
合并 merge
变基 rebase
冲突 conflict
回滚 rollback revert
标签 tag label
迁移 migrate
备份 backup
恢复 还原 restore recover
加密 encrypt
解密 decrypt
签名 验签 signature sign
密钥 秘钥 secret
证书 certificate cert
压缩 compress
解压 解压缩 decompress extract unzip
网络 network
端口 port
代理 proxy
网关 gateway
域名 domain
防火墙 firewall
带宽 bandwidth
负载均衡 balancer loadbalancer load-balancing
服务器 server
主机 host
客户端 client
容器 container
集群 cluster
节点 node
副本 replica
主从 replication
分片 shard
环境变量 env environment-variable
环境 environment env
变量 variable var
常量 constant const
函数 function func
方法 method
对象 object
属性 attribute property
数组 array
列表 list
字符串 string
字符 character char
子串 子字符串 substring
空格 空白 space blank whitespace
换行 换行符 newline linebreak
空值 null none nil
拼接 连接 concatenate concat join combine
拆分 分割 split
反转 逆序 reverse invert
去空格 trim strip
大写 uppercase capitalize
小写 lowercase
长度 大小 size length len
元素 element item
存在 exist
相等 相同 equal same identical
不同 different distinct
有效 合法 valid
无效 非法 invalid illegal
链接 网址 link url
求和 总和 sum total
绘制 画图 plot draw
图表 chart graph
四舍五入 round
等待 wait sleep
当前 current
字典 dictionary dict
整数 integer int
浮点数 float
布尔 boolean bool
参数 parameter param argument arg
返回 return
返回值 return
循环 loop
递归 recursion
遍历 迭代 iterate traverse
条件 condition
算法 algorithm
正则表达式 正则 regex regexp regular-expression
时间戳 timestamp
时区 timezone
日期 date
性能 performance perf
优化 optimize
瓶颈 bottleneck
延迟 时延 latency delay
吞吐量 吞吐 throughput
并发 concurrency
并行 parallel
异步 async asynchronous
同步 sync synchronize
阻塞 block
监控 monitor
指标 metric
告警 报警 alert alarm
排查 诊断 troubleshoot diagnose
调试 debug
追踪 跟踪 trace track
支付 付款 payment pay
订单 order
退款 refund
库存 inventory stock
购物车 cart
优惠券 coupon
发票 invoice
客户 顾客 customer
前端 frontend
后端 后台 backend
浏览器 browser
页面 网页 page
按钮 button btn
表单 form
弹窗 对话框 modal dialog popup
菜单 menu
组件 component
样式 style css
渲染 render
布局 layout
请求 request req
响应 response resp
跨域 cors
重定向 跳转 redirect
路由 route router
中间件 middleware
定时任务 计划任务 cron scheduler cron-job scheduled-task
定时 调度 schedule
重试 retry
幂等 idempotent
限流 throttle limit ratelimit rate-limit
限制 limit
熔断 breaker
降级 兜底 fallback degrade
分页 pagination
排序 sort
过滤 筛选 filter
去重 deduplicate dedupe unique distinct
上传 upload
下载 download
导入 import
导出 export
图片 图像 image picture img
视频 video
音频 audio
输入 input
输出 output
标准输入 stdin
标准输出 stdout
管道 pipe pipeline
流水线 pipeline
序列化 serialize
反序列化 deserialize
解析 parse parser
格式化 format
格式 format
编码 encode
解码 decode
乱码 mojibake garbled
转换 转化 convert conversion transform cast
随机 random
磁盘 硬盘 disk
挂载 mount
分区 partition
镜像 image
镜像 mirror
远程 remote
本地 local
仓库 repository repo
脚本 script
命令 指令 command cmd
命令行 cli command-line
终端 terminal console
执行 运行 execute run
校验 验证 validate verify
检查 检测 check
统计 计数 count
计算 compute calculate
比较 对比 compare
差异 diff difference
替换 replace
追加 append
插入 insert
监听 listen
订阅 subscribe
广播 broadcast
回调 callback
钩子 hook
事件 event
通知 notification
邮件 邮箱 email mail
短信 sms
模板 template
插件 plugin extension
模块 module
框架 framework
函数库 类库 library lib
类型 type
注释 comment
文档 document doc
示例 例子 样例 example sample
默认 缺省 default
启用 开启 enable
禁用 停用 disable
忽略 ignore skip
调用 call invoke
依赖注入 di dependency-injection
注入 inject
重构 refactor
漏洞 vulnerability
安全 security
攻击 attack
白名单 allowlist whitelist
黑名单 blocklist blacklist denylist
租户 tenant
报表 报告 report
需求 requirement
约定 规范 convention
设计 design
架构 architecture
决定 决策 decision
原因 reason cause
解决 solve fix
修复 fix repair
缺陷 bug defect
问题 issue problem
故障 事故 incident outage
复现 重现 reproduce repro
幻觉 hallucination
提示词 prompt
向量 vector embedding
模型 model
训练 train
推理 inference
kubernetes k8s
postgres postgresql pg
mongo mongodb
elasticsearch es
javascript js
typescript ts
python py
i18n internationalization 国际化
l10n localization 本地化
a11y accessibility 无障碍
implementation impl 实现
context ctx 上下文
application app 应用
information info 信息
initialize init 初始化
temporary temp tmp 临时
maximum max 最大
minimum min 最小
average avg mean 平均
数量 count
number num
reference ref 引用
specification spec
utility 工具
object obj
development dev 开发
记录 record
字段 field
结构体 struct structure
指针 pointer
枚举 enum enumeration
泛型 generic
继承 inherit
多态 polymorphism
封装 encapsulation
反射 reflection
注解 annotation
装饰器 decorator
闭包 closure
作用域 scope
垃圾回收 gc garbage garbage-collection
堆栈 调用栈 stack stacktrace stack-trace
链表 linkedlist
哈希 散列 hash
游标 cursor
快照 snapshot
心跳 heartbeat
健康检查 healthcheck health-check
灰度 金丝雀 canary
开关 flag switch toggle
扩容 缩容 scale
高可用 availability ha
分布式 distributed
一致性 consistency
选举 election
共识 consensus
轮询 poll
长连接 keepalive
握手 handshake
丢包 packet
子网 subnet
沙箱 沙盒 sandbox
虚拟机 vm virtual-machine
快捷键 shortcut hotkey
主题 theme topic
金额 amount
价格 price
折扣 discount
余额 balance
对账 reconcile reconciliation
结算 settlement
发货 物流 shipping shipment
地址 address
头像 avatar
screenshot 截图 截屏
不稳定 偶现 flaky intermittent
绕过 规避 workaround bypass
废弃 弃用 deprecated obsolete
兼容 compatible
拒绝 reject refuse deny
允许 allow permit
配额 quota
账单 计费 billing
许可证 license
隐私 privacy
敏感 sensitive
脱敏 mask redact
审计 audit
轮换 rotate
过期 失效 expire
失效 invalidate
刷新 refresh
预热 warmup
重放 replay
功能 特性 feature
里程碑 milestone
截止 deadline
负责人 owner
评审 审查 review
审批 批准 approve
工单 ticket
优先级 priority
风险 risk
目标 goal objective target
计划 plan
步骤 step
进度 进展 progress
摘要 总结 summary summarize
草稿 draft
翻译 translate
语言 language
窗口 window
屏幕 screen
图标 icon
颜色 color
字体 font
宽度 width
高度 height
对齐 align
滚动 scroll
点击 click
拖拽 拖动 drag
选择 选中 select choose pick
下拉 下拉框 dropdown
手机 移动端 mobile phone
桌面 desktop
安卓 android
关键字 关键词 keyword
请求头 header
载荷 payload
状态 status state
流程 流程图 flow
工作流 workflow
阶段 stage phase
触发 触发器 trigger
批量 批处理 batch bulk
流式 stream
分块 切片 chunk
序列 sequence
阈值 threshold
比例 比率 ratio proportion
百分比 percent percentage
频率 速率 rate frequency
范围 range
间隔 区间 interval
上限 limit cap
中位数 median
矩阵 matrix
精度 precision
准确率 accuracy
召回 召回率 recall
数据集 dataset
评估 评测 evaluate assess
基准测试 基准 benchmark
压测 压力测试 loadtest
线程池 threadpool thread-pool
堆内存 heap
处理器 cpu processor
内核 kernel
驱动 driver
设备 device
ssl tls
yaml yml
markdown md
jpeg jpg
持续集成 ci continuous-integration
子模块 submodule
暂存 stash
检出 checkout
克隆 clone
回收 reclaim recycle
切换 switch toggle
忘记 forget
密集 intensive dense
稀疏 sparse
重复 duplicate repeat
缺失 缺少 missing lack absent
丢失 lose
预览 preview
解包 unpack
源码 源代码 source
控制台 console
调度器 scheduler
偏好 喜欢 prefer like
讨厌 不喜欢 dislike hate
电影 movie film
照片 photo picture
孩子 小孩 child kid
父母 parent
妈妈 母亲 mother mom
爸爸 父亲 father dad
妻子 老婆 wife
丈夫 老公 husband
朋友 friend
公司 企业 company firm
工作 work job
职业 occupation career profession
同事 colleague coworker
老板 经理 boss manager
会议 开会 meeting
汽车 car vehicle
自行车 bike bicycle
房子 house home
旅行 旅游 trip travel
度假 假期 vacation holiday
购买 buy purchase
出售 sell
开始 begin start
完成 finish complete
帮助 帮忙 help assist
医生 doctor
医院 hospital
生病 疾病 sick ill disease
药物 medicine medication
食物 食品 food
餐厅 饭店 restaurant
学校 school
大学 university college
老师 教师 teacher
学生 student
书籍 book
歌曲 song
乐队 band
dog puppy
cat kitten
big large
small little
fast quick
高兴 开心 happy glad
难过 sad upset
害怕 afraid scared fear
漂亮 美丽 beautiful pretty
重要 important significant
困难 difficult hard
简单 容易 easy simple
经常 often frequently
最近 recent
居住 live reside
出生 born birth
结婚 married marriage wedding
比赛 竞赛 competition contest
爱好 hobby interest
锻炼 运动 exercise workout
内存溢出 内存不足 oom out-of-memory
合并请求 拉取请求 pr mr pull-request merge-request
最佳实践 best-practice
用户界面 界面 ui user-interface
热更新 热重载 hmr hot-reload
冷启动 cold-start
边界情况 边界条件 edge-case corner-case
集成测试 integration-test
回归 regression
代码评审 代码审查 code-review
技术债 技术债务 tech-debt technical-debt
开源 open-source
第三方 third-party
默认值 default-value
双因素 多因素 mfa two-factor
事件循环 event-loop
连接池 pool connection-pool
断点 breakpoint
错误码 error-code
状态码 status-code
命名空间 namespace
主键 primary-key
外键 foreign-key
慢查询 slow-query
数据源 datasource data-source
软删除 逻辑删除 soft-delete
乐观锁 optimistic-lock
悲观锁 pessimistic-lock
分布式锁 distributed-lock
特性开关 feature-flag feature-toggle
应用商店 app-store
源代码 source-code
操作系统 os operating-system
人工智能 ai artificial-intelligence
机器学习 ml machine-learning
大模型 大语言模型 llm large-language-model
知识库 knowledge-base
上下文窗口 context-window
`;
