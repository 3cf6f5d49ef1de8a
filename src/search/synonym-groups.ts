/** Words that mean the same in notes about software or the people who write it, a group a line: Chinese words, then
 * English ones with common abbreviations. They are chosen by their meaning; a word that as often means something else
 * (key, class, order) is left out. A single Chinese character only has synonyms, and is none, since it may be a part of any
 * word. Chinese words are folded like terms (复盖率 for 覆盖率); English ones are in lower case, and several of them are
 * joined by hyphens. Kept as text, since building a map takes longer than all lookups of a call. */
export const SYNONYM_GROUPS = `
删除 移除 去除 清除 delete remove erase
清空 清除 清理 clear
创建 新建 建立 create
生成 generate create
获取 取得 得到 get retrieve fetch obtain
读取 read
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
配置 设置 config configuration setting cfg
文件夹 目录 folder directory dir
文件 file
路径 path
复制 拷贝 copy
粘贴 paste
移动 move
重命名 改名 rename
启动 开启 start launch
停止 终止 结束 stop shutdown terminate kill
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
内存 memory ram
记忆 memory
泄漏 泄露 leak leakage
溢出 overflow
数据 data
数据库 database db
索引 index
查询语句 sql
事务 transaction txn
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
登录 登陆 login signin sign-in
登出 退出登录 注销 logout signout
注册 register registration signup
密码 口令 password passwd
用户 user
用户名 username
管理员 admin administrator
账号 帐号 账户 帐户 account
权限 permission
角色 role
认证 鉴权 身份验证 authentication auth authn
授权 auth
令牌 token
会话 session
单点登录 sso single-sign-on
接口 api
服务 service svc
微服务 microservice
部署 布署 deploy
上线 发布 发版 release publish deploy go-live
生产环境 线上 production prod
测试 test
单元测试 单测 unittest unit-test
断言 assert
模拟 mock simulate
复盖率 coverage
构建 build
编译 compile
打包 bundle pack
依赖 dependency dep
版本 version
分支 branch
提交 commit
提交 submit
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
压缩 compress compact
解压 解压缩 decompress unzip
网络 network
端口 port
代理 proxy
网关 gateway
域名 domain
防火墙 firewall
带宽 bandwidth
负载均衡 loadbalancer load-balancing lb
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
属性 attribute property attr
数组 array
列表 list
字符串 string
字符 character char
子串 子字符串 substring
空格 空白 space blank whitespace
换行 换行符 newline linebreak
空值 null nil
拼接 concatenate concat join combine
拆分 分割 split
反转 逆序 倒序 reverse invert
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
等待 wait
当前 current
字典 dictionary dict
整数 整型 integer int
浮点数 浮点 float
布尔 布尔值 boolean bool
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
退款 退票 refund
库存 inventory stock
购物车 cart basket
优惠券 coupon
发票 invoice
客户 顾客
前端 frontend
后端 backend
浏览器 browser
页面 网页 page
按钮 button btn
表单 form
弹窗 对话框 modal dialog popup
菜单 menu
组件 component
样式 style
渲染 render
布局 layout
请求 request req
响应 response resp
跨域 cors cross-origin
重定向 跳转 redirect
路由 route router
中间件 middleware
定时任务 计划任务 cron crontab scheduler cron-job scheduled-task
定时 调度 schedule
重试 retry
幂等 idempotent
限流 throttle ratelimit rate-limit too-many-requests
限制 limit
熔断 breaker
降级 兜底 fallback degrade
排序 sort
过滤 筛选 filter
去重 去除重复 deduplicate dedupe distinct
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
计算 calculate
比较 对比 compare
差异 区别 diff difference
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
插件 plugin addon add-on
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
忽略 跳过 ignore skip
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
解决 solve fix resolve
修复 fix repair
缺陷 bug defect
问题 issue problem
故障 事故 incident outage
复现 重现 reproduce repro
幻觉 hallucination
提示词 prompt
向量 vector
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
国际化 i18n internationalization
本地化 l10n localization
无障碍 a11y accessibility
实现 implementation impl
上下文 context ctx
应用 application app
信息 information info
初始化 initialize init
临时 temporary temp tmp
最大 maximum max
最小 minimum min
平均 average avg
数量 count
number num
引用 reference ref
object obj
开发 development dev
记录 record
字段 field
结构体 结构 struct structure
指针 pointer ptr
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
堆栈 调用栈 stacktrace stack-trace call-stack backtrace traceback
链表 linkedlist
哈希 散列 hash
游标 cursor
快照 snapshot
心跳 heartbeat
健康检查 healthcheck health-check
灰度 金丝雀 canary
开关 switch toggle
扩容 scale scale-up scale-out
高可用 ha high-availability
分布式 distributed
一致性 consistency
选举 election
共识 consensus
轮询 poll
长连接 keepalive
握手 handshake
子网 subnet
沙箱 沙盒 sandbox
虚拟机 vm virtual-machine
快捷键 热键 shortcut hotkey
主题 theme
金额 amount
价格 price
折扣 discount
余额 balance
对账 reconcile reconciliation
结算 settlement settle
发货 物流 shipping shipment
地址 address addr
头像 avatar
截图 截屏 screenshot
不稳定 偶现 偶发 flaky intermittent unstable
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
脱敏 遮盖 打码 mask redact
审计 audit
轮换 rotate
过期 失效 expire
失效 invalidate
刷新 refresh
预热 warmup
重放 replay
功能 特性 feature
里程碑 milestone
截止 截止日期 deadline due-date
负责人 owner
评审 审查 review
审批 批准 approve
工单 ticket
优先级 priority
风险 risk
目标 goal target
计划 plan
步骤 step
进度 进展 progress
摘要 总结 summary summarize
草稿 draft
翻译 translate
语言 language
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
选择 选中 select choose pick choice
下拉 下拉框 dropdown
手机 移动端 mobile phone
桌面 desktop
安卓 android
关键字 关键词 keyword
请求头 header
载荷 payload
状态 status state
流程 flow
工作流 workflow
阶段 phase
触发 触发器 trigger
批量 批处理 batch bulk
流式 stream
分块 切片 chunk
序列 sequence
硬件 hardware hw
软件 software
索引位置 下标 idx
早停 early-stopping
空中升级 ota over-the-air
最大内容绘制 lcp largest-contentful-paint
阈值 阀值 threshold
比例 比率 ratio proportion
百分比 percent percentage
频率 frequency
范围 range
间隔 区间 interval
上限 limit upper-limit
中位数 median
矩阵 matrix
精度 precision
准确率 accuracy
召回 召回率 recall
数据集 dataset
评估 评测 evaluate assess
基准测试 基准 benchmark
压测 压力测试 loadtest load-test stress-test
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
偏好 喜欢 prefer
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
工作 work
职业 occupation career profession job
同事 colleague coworker
老板 boss
会议 开会 meeting
汽车 car vehicle
自行车 bike bicycle
房子 house
旅行 旅游 trip travel
度假 假期 vacation holiday
购买 buy purchase
出售 sell
开始 begin start
完成 finish complete
帮助 帮忙 help
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
漂亮 美丽 beautiful
重要 significant crucial
困难 difficult
简单 容易 easy simple
经常 often frequently
最近 recent
居住 live reside
出生 born birth
结婚 married marriage wedding
比赛 竞赛 competition contest
爱好 hobby
锻炼 运动 exercise workout
内存溢出 内存不足 oom out-of-memory outofmemoryerror
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
连接池 connection-pool
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
喜欢 喜爱 like enjoy
接口 interface
后台 backend
后台 background
背景 background
前台 foreground
嵌入 向量 embedding
解压 extract
提取 抽取 extract
软件包 安装包 package pkg
扩展 extension
堆栈 stack
技术栈 tech-stack technology-stack
阶段 stage
预发 预发环境 预发布环境 staging stg
速率 rate
主题 话题 topic
标志 标志位 flag
缩容 scale-down scale-in
自动扩缩容 弹性伸缩 autoscaling auto-scaling
工具 tool
利用率 使用率 utilization
助手 assistant
电脑 计算机 computer
丢包 packet-loss
数据包 报文 packet
流程图 flowchart flow-chart
睡眠 睡觉 sleep
唯一 unique
项目经理 project-manager
产品经理 product-manager
管理 manage
风格 style
任务 task job
子任务 subtask
最大值 maximum
最小值 minimum
平均值 均值 average
添加 新增 增加 add
增加 增长 increase
减少 降低 reduce decrease
改进 改善 提升 improve enhance
避免 avoid
防止 阻止 prevent
确保 保证 ensure guarantee
保留 retain retention preserve
预留 reserve
尝试 try attempt
记住 remember
提醒 remind
包含 包括 include
排除 exclude
匹配 match
不匹配 mismatch
检测 detect
识别 recognize
发现 discover
学习 learn
理解 understand
解释 explain
描述 describe
定义 define
声明 declare
替代 alternative substitute
交换 swap exchange
分配 allocate assign
释放 release deallocate
取消 cancel
中止 abort
暂停 挂起 pause suspend
唤醒 wake wakeup
继续 resume continue
撤销 撤回 undo
吊销 撤销 revoke
重做 redo
强制 force
复盖 overwrite override
丢弃 discard
截断 truncate
转义 escape
嵌套 nested
展平 扁平化 flatten
填充 fill
裁剪 crop
旋转 rotate
翻转 flip
缩放 zoom
折叠 collapse fold
展开 expand
绑定 bind
解锁 unlock
锁等待 lock-wait
锁超时 锁等待超时 lock-timeout lock-wait-timeout
确认 confirm
应答 acknowledge ack
支持 support
不支持 unsupported
提供 provide
建议 suggest advice
推荐 recommend
反馈 feedback
影响范围 blast-radius
集成 对接 integrate
额外 extra additional
不正确 incorrect wrong
未知 unknown
意外 unexpected
紧急 urgent
严重 serious
致命 fatal
手动 manual
自动 automatic auto
自动化 automation
静态 static
动态 dynamic
抽象 abstract
公共 公开 public
私有 private
全局 global
内部 internal
在线 online
只读 readonly read-only
最新 latest
遗留 旧版 legacy
自定义 定制 custom
详细 verbose detailed
详情 细节 detail
简洁 concise brief
静默 安静 silent quiet
精确 exact precise
近似 approximate
相似 similar
健壮 鲁棒 robust
冗余 redundant
交互 交互式 interactive
可用 可用性 available
不可用 unavailable
速度 speed
时长 duration
质量 quality
规则 rule
策略 strategy policy
标准 standard
机制 mechanism
场景 scenario
证据 evidence
优点 优势 advantage
缺点 劣势 disadvantage drawback
权衡 取舍 tradeoff trade-off
假设 assume hypothesis
结论 conclusion
趋势 trend
习惯 habit
语气 tone
级别 等级 level
层级 hierarchy
前缀 prefix
后缀 suffix
扩展名 后缀名 file-extension
选项 option
术语 术语表 glossary terminology
历史 历史记录 history
空间 space
符号链接 软链接 软链 symlink symbolic-link soft-link
硬链接 hardlink hard-link
标准错误 stderr standard-error
守护进程 daemon
通配符 wildcard glob
归档 存档 archive
剪贴板 clipboard
主机名 hostname
僵尸进程 zombie
子进程 subprocess child-process
进程号 pid process-id
信号 signal
信号量 semaphore
互斥锁 互斥 mutex
读写锁 rwlock read-write-lock
自旋锁 spinlock spin-lock
原子 原子性 atomic
别名 alias
工作目录 当前目录 cwd working-directory current-directory
主目录 家目录 home-directory
子目录 子文件夹 subdirectory subfolder
隐藏文件 dotfile hidden-file
超级用户 superuser root-user
文件系统 filesystem file-system
文件名 filename file-name
文件描述符 fd file-descriptor
临时文件 tempfile temp-file temporary-file
日志轮转 日志切割 logrotate log-rotation
系统调用 syscall system-call
二进制 binary
十六进制 hexadecimal hex
八进制 octal
字节 byte
字节码 bytecode
引号 quote
反引号 backtick
圆括号 parenthesis parentheses
花括号 大括号 brace curly-brace
逗号 comma
分号 semicolon
冒号 colon
斜杠 slash
反斜杠 backslash
下划线 underscore
连字符 hyphen
分隔符 delimiter separator
占位符 placeholder
制表符 tab
缩进 indent
行尾 line-ending
多行 multiline multi-line
大小写敏感 区分大小写 case-sensitive
校验和 checksum
指纹 fingerprint
定时器 计时器 timer
日历 日程 calendar
交换分区 交换空间 swap
固态硬盘 ssd solid-state
机械硬盘 hdd hard-drive hard-disk
显卡 gpu graphics-card
显存 vram gpu-memory video-memory
键盘 keyboard
鼠标 mouse
打印机 printer
摄像头 相机 camera
电池 battery
传感器 sensor
固件 firmware
蓝牙 bluetooth ble
无线 wireless
笔记本电脑 laptop
引导 boot
关机 poweroff shutdown
休眠 hibernate
网卡 nic network-card
网桥 桥接 bridge
子网掩码 netmask subnet-mask
隧道 tunnel
局域网 内网 lan intranet
互联网 因特网 internet
套接字 socket
环回 loopback
反向代理 reverse-proxy
堡垒机 跳板机 bastion jump-host jump-server
内容分发 cdn content-delivery
抖动 jitter
防抖 debounce
节流 throttle
背压 反压 backpressure back-pressure
脑裂 split-brain
故障转移 failover
单点故障 spof single-point-of-failure
可观测性 observability
链路追踪 分布式追踪 distributed-tracing tracing
仪表盘 仪表板 dashboard
值班 oncall on-call
复盘 postmortem retrospective post-mortem
根因 根本原因 rca root-cause
运维手册 runbook playbook
运维 ops
宕机 停机 downtime
热修复 hotfix
补丁 patch
变更日志 更新日志 changelog release-notes
语义化版本 semver semantic-versioning
制品 产物 构件 artifact
锁文件 lockfile lock-file
编排 orchestration
探针 probe
边车 sidecar
无服务器 serverless
数据卷 volume
挂载点 mountpoint mount-point
入口点 entrypoint entry-point
暂存区 staging-area
工作区 workspace
工作树 worktree working-tree
提交信息 提交说明 commit-message
拣选 cherry-pick
复刻 派生 fork
上游 upstream
下游 downstream
未跟踪 untracked
强制推送 强推 force-push
快进 fast-forward
代码库 codebase code-base
单体仓库 monorepo
贡献者 contributor
作者 author
存储过程 stored-procedure
视图 view
表结构 schema
只读副本 从库 read-replica
全文搜索 全文检索 fulltext full-text
全表扫描 table-scan
扫描 scan
隔离 isolate
幻读 phantom-read
预编译语句 预处理语句 prepared-statement
自增 autoincrement auto-increment
约束 constraint
可空 nullable
聚合 aggregate
子查询 subquery
回填 backfill
预写日志 wal write-ahead-log
检查点 checkpoint
碎片 fragment
时序 时间序列 timeseries time-series
元数据 metadata
字符集 charset character-set
懒加载 延迟加载 lazyload lazy-load
预加载 preload
预取 prefetch
服务端渲染 ssr server-side-rendering
单页应用 spa single-page
响应式 responsive
生命周期 lifecycle life-cycle
插槽 slot
选择器 selector
动画 animation
过渡 transition
边框 border
外边距 margin
内边距 padding
透明 透明度 transparent opacity
居中 center
网格 栅格 grid
深色模式 暗色模式 暗黑模式 dark-mode dark-theme
浅色模式 light-mode light-theme
侧边栏 sidebar
导航 navigation
导航栏 navbar navigation-bar
面包屑 breadcrumb
标签页 选项卡 tab
复选框 checkbox
输入框 文本框 textbox text-field text-box
滚动条 scrollbar
骨架屏 skeleton
工具提示 tooltip
悬停 hover
焦点 聚焦 focus
全屏 fullscreen full-screen
触摸 触控 touch
右键 right-click
白屏 white-screen blank-screen
光标 cursor
端点 endpoint
爬虫 crawler scraper spider
抓取 爬取 scrape crawl
网站 站点 website site
书签 bookmark
远程过程调用 远程调用 rpc remote-procedure-call
深度链接 deeplink deep-link
模拟器 emulator
横屏 landscape
竖屏 portrait
原生 native
小程序 miniprogram mini-program
混淆 obfuscation
智能体 agent
代理 agent
子代理 子智能体 subagent sub-agent
微调 finetune fine-tune
预训练 pretrain pre-train
强化学习 rl reinforcement-learning
注意力 attention
检索增强 rag retrieval-augmented
重排 重排序 rerank
相似度 similarity
语义 semantic
温度 temperature
采样 抽样 sampling
量化 quantization
过拟合 overfitting
梯度 gradient
超参数 hyperparameter
标注 annotate label
分类 classify
聚类 clustering
预测 predict forecast
多模态 multimodal
语音识别 asr speech-recognition
语音合成 tts speech-synthesis
文字识别 光学字符识别 ocr
自然语言处理 nlp natural-language-processing
聊天机器人 chatbot
机器人 robot bot
对话 聊天 chat
护栏 guardrail
语料 语料库 corpus
测试用例 testcase test-case
测试夹具 fixture
打桩 stub
端到端 e2e end-to-end
模糊测试 fuzz
测试驱动 tdd test-driven
预期 期望 expect
前置条件 先决条件 precondition prerequisite
基线 baseline
暴力破解 brute-force
钓鱼 phishing
病毒 virus
恶意 malicious
恶意软件 malware
勒索软件 ransomware
后门 backdoor
渗透测试 pentest penetration-test
威胁 threat
入侵 intrusion
特权 privilege
访问控制 acl access-control
基于角色 rbac role-based
rbac role-based-access-control
服务等级 服务水平 sla service-level service-level-agreement
基础设施即代码 iac infrastructure-as-code
开发工具包 sdk software-development-kit
站点可靠性 sre site-reliability
平均恢复时间 mttr mean-time-to-recovery
恢复点目标 rpo recovery-point
恢复时间目标 rto recovery-time
时间点恢复 pitr point-in-time-recovery
最小可行产品 mvp minimum-viable-product
概念验证 poc proof-of-concept
进行中 wip work-in-progress
先进先出 fifo first-in-first-out
最近最少使用 lru least-recently-used
首字节 ttfb time-to-first-byte
增删改查 crud
内容安全策略 csp content-security-policy
jwt json-web-token
mcp model-context-protocol
公钥基础设施 pki public-key-infrastructure
图形界面 gui graphical-user-interface
有向无环图 dag directed-acyclic-graph
抽象语法树 ast abstract-syntax-tree
两阶段提交 two-phase-commit
变更数据捕获 cdc change-data-capture
验收测试 uat acceptance-test user-acceptance
产品需求 需求文档 prd product-requirements
架构决策 adr architecture-decision
标准操作 操作规程 sop standard-operating-procedure
虚拟专用网 vpn virtual-private-network
专有网络 vpc virtual-private-cloud
对象存储 object-storage object-store
服务端推送 sse server-sent-events
行为驱动 bdd behavior-driven
渐进式应用 pwa progressive-web-app
网络地址转换 nat network-address-translation
明文 plaintext cleartext plain-text
密文 ciphertext
凭证 凭据 credential
自签名 self-signed
中间人 mitm man-in-the-middle
拒绝服务 ddos denial-of-service
跨站脚本 xss cross-site-scripting
跨站请求伪造 csrf cross-site-request-forgery
验证码 captcha verification-code
一次性密码 otp one-time-password
合规 compliance
水印 watermark
会员 membership
续费 续订 renew
充值 recharge topup top-up
提现 withdraw
货币 币种 currency
税费 税款 tax
手续费 服务费 fee
收入 营收 revenue income
费用 成本 cost expense
预算 budget
报销 reimbursement
合同 contract
银行 bank
支付宝 alipay
微信 wechat
欺诈 fraud
商户 商家 merchant
客服 customer-service customer-support
营销 marketing
留存 retention
流失 churn
排行榜 leaderboard
扣款 扣费 deduct
冻结 freeze
余额不足 insufficient-balance insufficient-funds
待办 待办事项 todo
积压 backlog
冲刺 sprint
看板 kanban
路线图 roadmap
估算 预估 estimate
推迟 延期 postpone
交付 deliver
会议纪要 meeting-minutes meeting-notes
提案 proposal
解决方案 方案 solution
团队 team
成员 member
部门 department
招聘 recruit hire
面试 interview
简历 cv curriculum-vitae
入职 onboarding
离职 辞职 resign
引擎 engine
自述文件 readme
手册 handbook user-manual
教程 tutorial
快速入门 快速开始 quickstart getting-started
常见问题 faq frequently-asked-questions
章节 chapter section
标题 title
电子表格 spreadsheet
幻灯片 slide
演示 demo
示意图 diagram
代码片段 片段 snippet
语法 syntax grammar
高亮 highlight
拼写错误 笔误 typo misspelling
陷阱 踩坑 pitfall gotcha
经验教训 lessons-learned
驼峰 驼峰命名 camelcase camel-case
静态检查 lint
空指针 npe null-pointer nullpointerexception
未定义 undefined
越界 out-of-bounds out-of-range
段错误 segfault segmentation-fault sigsegv
连接被拒绝 拒绝连接 connection-refused econnrefused
连接重置 connection-reset econnreset
未找到 找不到 notfound not-found
文件不存在 找不到文件 enoent no-such-file file-not-found
权限不足 拒绝访问 permission-denied access-denied eacces
端口占用 端口被占用 eaddrinuse address-already-in-use
未授权 unauthorized
禁止 forbid prohibit
超出 超过 exceed
句柄耗尽 文件句柄不足 emfile too-many-open-files
磁盘满 磁盘已满 磁盘空间不足 空间不足 enospc disk-full no-space-left
类型错误 typeerror type-error
运行时 runtime
死循环 无限循环 infinite-loop
未捕获 未处理 uncaught unhandled
捕获 catch
抛出 throw
损坏 corrupt
格式错误 malformed
核心转储 coredump core-dump
转储 dump
卡顿 掉帧 jank stutter
死信 死信队列 dlq dead-letter
消费者 consumer
生产者 producer
偏移 偏移量 offset
数据框 dataframe
异常值 离群值 离群点 outlier
直方图 histogram
热力图 热图 heatmap
坐标轴 axis
图例 legend
标准差 stddev standard-deviation
相关性 correlation
概率 probability
置信度 confidence
插值 interpolation
维度 dimension
张量 tensor
权重 加权 weight
百分位 分位数 percentile quantile
可视化 visualize
统计 statistics stats
匿名函数 lambda anonymous-function
构造函数 constructor
析构函数 destructor
类型转换 typecast type-conversion
重载 overload
重写 rewrite
实例 instance
单例 单例模式 singleton
设计模式 design-pattern
面向对象 oop object-oriented
领域驱动 ddd domain-driven
解耦 decouple
可读性 readability
可扩展性 扩展性 scalability
表达式 expression
语句 statement
迭代器 iterator
元组 tuple
映射 map
切片 slice
取模 取余 modulo
解释器 interpreter
反编译 decompile
即时编译 jit just-in-time
动态库 共享库 动态链接库 dll shared-library dynamic-library
火焰图 flamegraph flame-graph
非阻塞 nonblocking non-blocking
多线程 multithreading multi-thread
工作线程 worker
虚拟环境 venv virtualenv virtual-environment
脚手架 scaffold
样板代码 boilerplate
语言服务器 lsp language-server
编辑器 editor
集成开发环境 ide
自动补全 代码补全 autocomplete auto-completion code-completion
转译 transpile
包装器 wrapper
降序 descending
升序 ascending
交集 intersection
并集 union
组合 combination
像素 pixel
帧率 fps framerate frame-rate
编解码器 编解码 codec
缩略图 thumbnail
字幕 subtitle
录屏 screencast screen-recording
直播 livestream live-stream
播放列表 playlist
每天 每日 daily
每周 weekly
每月 monthly
每年 yearly annual
昨天 yesterday
今天 today
明天 tomorrow
周末 weekend
周一 星期一 monday
周二 星期二 tuesday
周三 星期三 wednesday
周四 星期四 thursday
周五 星期五 friday
周六 星期六 saturday
周日 星期日 星期天 sunday
生日 birthday
年龄 age
过敏 allergy allergic
航班 flight
酒店 hotel
家庭 家人 family
儿子 son
女儿 daughter
女朋友 女友 girlfriend
男朋友 男友 boyfriend
兴趣 interest
控制反转 ioc
面向切面 aop
多版本并发控制 mvcc
域名系统 域名解析 dns
对象关系映射 orm
布隆过滤器 bloom
分库分表 sharding
雪花算法 snowflake
最终一致性 eventual-consistency
服务发现 service-discovery
注册中心 registry
蓝绿部署 blue-green
滚动更新 滚动发布 rolling-update
零拷贝 zero-copy
多路复用 multiplexing
工厂模式 factory
观察者 observer
适配器 adapter
策略模式 strategy
装箱 自动装箱 boxing autoboxing
类加载 类加载器 classloader class-loader
可重入 reentrant
自旋 自旋锁 spin spinlock
可见性 visibility
主从复制 replication
哨兵 sentinel
持久化 persist
淘汰 驱逐 evict
过期时间 存活时间 ttl time-to-live
分词 分词器 tokenize segmentation
倒排索引 inverted-index
雪崩 avalanche
文本 text
正在运行 running
隐藏 hide
指定 specify
所有 全部 all every
站会 standup
日活 dau
月活 mau
检查清单 清单 checklist
埋点 打点 tracking
串口 serial-port uart
陈旧 过时 stale outdated
主库 primary-database master-database
编译 build
异常 错误
websocket ws
golang go
授权 authorization authz
github-actions gha
segfault crash
故障切换 主备切换 failover
容灾 灾备 disaster-recovery
演练 drill game-day
跑批 批任务 batch batch-job
数据表 table
表格 table
宽表 wide-table
维表 维度表 dimension-table
事实表 fact-table
拉链表 缓慢变化维 scd slowly-changing-dimension
虚拟 virtual
虚拟化 virtualization
虚拟线程 virtual-thread
虚拟列表 虚拟滚动 virtual-list virtual-scroll virtualization
联表 联查 关联查询 join
关联 associate
部分 partial
重置 reset
二次验证 两步验证 双重验证 mfa two-factor two-step
动态码 动态口令 动态密码 otp totp one-time-password
短信验证码 验证码 otp
体积 size
包体积 bundle-size
拒绝 decline
审核 review
复核 review approve
放行 allow
大额 large-amount high-value
更换 replace
续期 续签 renew
每小时 小时级 hourly
特征 feature
翻页 分页 pagination paging
闪烁 flicker flash blink
空白页 blank-page
为空 empty
舍入 取整 round
统一 unify uniform
上升 上涨 rise increase
下降 下跌 decrease decline
突增 激增 飙升 暴涨 spike surge
夜间 夜里 晚上 night nightly overnight
最早 earliest
提前 in-advance ahead-of-time beforehand
读写分离 read-write-splitting read-replica
旧数据 stale-data stale-read
放量 灰度发布 rollout canary-release
封版 封网 code-freeze change-freeze
数仓 数据仓库 warehouse data-warehouse
数据湖 data-lake lakehouse
保留 keep
必填 mandatory
更正 修正 纠正 correct
调大 调高 raise increase bump
调小 调低 lower decrease reduce
缓慢 变慢 很慢 slow
滞后 延迟 lag
主从延迟 复制延迟 同步延迟 replication-lag replica-lag
堆积 积压 lag pile-up
从库 replica
主库 primary
新加坡 singapore
印尼 印度尼西亚 indonesia indonesian
中国 china chinese
美国 america american usa
日本 japan japanese
韩国 korea korean
香港 hong-kong
英国 uk britain british
欧洲 europe european
欧盟 eu european-union european
德国 germany german
法国 france french
印度 india indian
马来西亚 malaysia malaysian
泰国 thailand thai
越南 vietnam vietnamese
菲律宾 philippines
巴西 brazil brazilian
北京 beijing
上海 shanghai
深圳 shenzhen
广州 guangzhou
杭州 hangzhou
东京 tokyo
银联 unionpay
账务 记账 ledger bookkeeping
账本 总账 ledger
分录 ledger-entry journal-entry
收银台 结账 checkout cashier
打款 出款 代付 payout disbursement
对账 recon
节假日 假日 holiday public-holiday
春节 农历新年 lunar-new-year chinese-new-year
工作日 business-day working-day workday
费率 fee-rate fee
阶梯 tier
交易量 transaction-volume
交易 transaction
争议 dispute
拒付 chargeback
投诉 complaint complain
资金 fund cash
门店 店铺 shop
管理后台 后台管理 admin-console admin-panel
重复扣款 double-charge duplicate-charge
证件 身份证 id-card identity-document
实名 实名认证 kyc know-your-customer
反洗钱 aml anti-money-laundering
银行卡 bank-card
信用卡 credit-card
借记卡 debit-card
银行账户 结算账户 bank-account bank-details
发卡行 发卡 issuer
收单行 收单 acquirer
盗刷 card-fraud card-testing
风控 risk-control risk
流水号 serial-number
汇率 exchange-rate fx
冲正 reversal
预授权 preauth pre-auth pre-authorization
佣金 commission
押金 deposit
运费 freight shipping-fee
售后 after-sales
供应商 vendor supplier
采购 procurement
订阅 subscription
试用 trial
促销 promotion promo
秒杀 flash-sale
转化率 conversion-rate
点击率 ctr click-through
活跃 active
活跃用户 active-user
数字商品 digital-goods
评分 打分 分数 得分 score
归属 ownership owner
越权 idor privilege-escalation
月末 月底 month-end end-of-month
季度 quarter quarterly
不平 imbalance mismatch
不一致 inconsistent mismatch
成功率 success-rate
失败率 错误率 failure-rate error-rate
通过率 approval-rate pass-rate
低于 below under
高于 above
少了 缺少 missing
丢失 丢掉 drop
对比 比较 comparison
异常处理 exception-handling error-handling
顺序 先后 次序 sequence
迟到 晚到 late
一半 half halfway
紧急 emergency
唯一键冲突 主键冲突 duplicate-key duplicate-entry unique-violation
线上 生产 production prod
入参 参数 parameter argument
监听器 listener
消费 consume
double twice
mock stub
交接 handover hand-over handoff
输入法 ime input-method
优雅停机 优雅关闭 平滑关闭 graceful-shutdown
出口 出站 egress outbound
入口 入站 ingress inbound
流量 traffic
影子 shadow
突然 sudden suddenly
立即 马上 immediate
频繁 frequent
偶尔 occasional sometimes
永久 permanent
采集 收集 gather ingest
汇总 aggregate rollup
偏差 deviation bias
误报 false-positive false-alarm
漏报 false-negative
误删 accidental-deletion
误操作 失误 human-error mistake
违反 违规 violate
破坏性变更 不兼容变更 breaking-change
向后兼容 向下兼容 backward-compatible
下线 decommission retire
毛刺 尖刺 spike glitch
高峰 峰值 peak
低峰 off-peak
负载 load
资源 resource
消耗 consume
占用 usage occupy
耗尽 用尽 用完 exhaust
不足 不够 insufficient
过多 too-many excessive
无响应 假死 unresponsive not-responding hang
生效 take-effect
可达 reachable
不可达 不通 unreachable
连不上 无法连接 cannot-connect unable-to-connect
错误信息 报错信息 error-message
错误日志 error-log
机房 数据中心 datacenter data-center
可用区 availability-zone
区域 地域 region
多活 异地多活 active-active multi-region
主备 热备 active-standby hot-standby
备库 备机 standby
维护 maintain
维护窗口 变更窗口 change-window
回退 rollback revert
止损 缓解 mitigate
影响 impact affect
排班 rota
公告 announcement notice
首屏 first-paint above-the-fold
首页 主页 homepage home-page landing-page
遮罩 蒙层 overlay
抽屉 drawer
轮播 carousel
日期选择器 datepicker date-picker
富文本 rich-text
兼容性 compatibility
缓存失效 cache-invalidation
断网 离线 offline
弱网 poor-network slow-network
注水 水合 hydration
重渲染 重新渲染 rerender re-render
状态管理 state-management
无限滚动 infinite-scroll
分布式事务 distributed-transaction
补偿 compensate
事务消息 本地消息表 outbox transactional-outbox
幂等 idempotency
幂等键 idempotency-key
唯一键 唯一索引 unique-key unique-index
联合索引 复合索引 composite-index
行锁 row-lock
表锁 锁表 table-lock
长事务 long-running-transaction long-transaction
连接泄漏 连接泄露 connection-leak
连接数 connection-count connections
消费组 消费者组 consumer-group
重平衡 再均衡 rebalance
延迟队列 延时队列 delay-queue
发号器 号段 id-generator
缓存穿透 cache-penetration
缓存击穿 cache-breakdown cache-stampede
请求体 request-body
响应体 response-body
查询参数 query-parameter query-string
收据 小票 receipt
验签失败 signature-mismatch invalid-signature
时钟漂移 时钟偏差 clock-skew clock-drift
夏令时 冬令时 dst daylight-saving clock-change
特征工程 feature-engineering
特征平台 特征库 feature-store
样本 sample
数据倾斜 data-skew
漂移 drift
训练集 training-set training-data
测试集 test-set
验证集 validation-set
回测 backtest
规则引擎 rule-engine
用户画像 画像 user-profile
血缘 数据血缘 lineage
数据质量 data-quality
补数 补数据 backfill
重跑 rerun re-run
离线任务 batch-job offline-job
实时 realtime real-time
流处理 stream-processing
水位 watermark
污点 taint
容忍 tolerate
亲和性 affinity
就绪 ready
安全组 security-group
证书续期 证书更新 certificate-renewal
根证书 root-certificate root-ca
路由表 route-table
命名规范 naming-convention
代码规范 代码风格 code-style coding-standard
排期 planning schedule
复用 reuse
法务 legal
财务 finance
监管 regulator regulatory
编译错误 compile-error
类型检查 typecheck type-check
静态分析 static-analysis
内存泄漏 内存泄露 memory-leak
内存占用 memory-usage
磁盘占用 disk-usage
死代码 dead-code
硬编码 写死 hardcode hard-coded
依赖冲突 dependency-conflict
循环依赖 circular-dependency cyclic-dependency
版本冲突 version-conflict
固定版本 锁定版本 pin
内容寻址 content-addressable
差分 增量 delta differential incremental
路由器 router
插座 plug outlet
音箱 speaker
温控器 thermostat
门锁 door-lock
窗帘 curtain
灯泡 灯具 lamp bulb
重试间隔 退避 backoff retry-interval
待机 standby idle
功耗 耗电 power-consumption power-drain
漏水 water-leak
电量 battery battery-level
掉线 断线 断连 disconnect offline
苹果 apple
谷歌 google
华为 huawei
三星 samsung
小米 xiaomi
亚马逊 amazon
微软 microsoft
阿里云 aliyun alibaba-cloud
腾讯云 tencent-cloud
钉钉 dingtalk
飞书 feishu lark
企业微信 wecom
配网 provisioning
配对 pair
热点 hotspot
写满 占满 打满 full exhaust
厂测 产测 生产测试 factory-test production-test
产线 生产线 production-line assembly-line
规范 guideline
蜂窝 移动网络 cellular lte
消失 不见 disappear vanish
德语 german
英语 英文 english
法语 french
日语 日文 japanese
中文 汉语 chinese
文案 wording copywriting
海外 境外 国外 overseas abroad
日落 sunset
日出 sunrise
滚动重启 rolling-restart
大面积 大规模 mass large-scale
低估 underestimate
高估 overestimate
个人信息 个人数据 personal-data pii
遥测 telemetry
冷热分层 冷热分离 tiered-storage
构建机 打包机 build-machine runner
低温 寒冷 cold low-temperature
跳变 突变 jump
锂电池 lithium
卡在 卡住 hang stick
未响应 无响应 unresponsive not-responding
证书颁发机构 ca certificate-authority
恢复出厂 出厂设置 factory-reset
解绑 解除绑定 unbind unpair
语音 voice
房间 room
位置 location
室内 indoor
室外 户外 outdoor
湿度 humidity
亮度 brightness
噪声 噪音 noise
校准 标定 calibrate
采样率 sample-rate
量产 mass-production
返修 返厂 rma repair
质保 保修 warranty
工厂 厂家 factory
样机 原型 prototype
电源 power-supply
电压 voltage
天线 antenna
信号强度 rssi signal-strength
干扰 interference
协议 protocol
栈溢出 堆栈溢出 stack-overflow
看门狗 watchdog
中断 interrupt
外设 peripheral
白名单 allow-list
推送 push push-notification
角标 badge
横幅 banner
启动页 splash-screen
权限申请 权限请求 permission-request
签名证书 signing-certificate
描述文件 provisioning-profile
混合开发 hybrid
热修复 hot-patch
抓包 packet-capture pcap sniff
弱密码 weak-password
烧录 烧写 刷机 flash-firmware
黑屏 black-screen
引脚 管脚 gpio
宠物 pet
保险 insurance
窗口 window
票价 fare price
重发 重新发送 resend
小时 钟头 hour
凌晨 半夜 深夜
收费 计费 charge
存活 liveness
倒计时 countdown
护照 passport
小数 decimal
波特率 baud-rate baudrate baud
上拉 pull-up pullup
电阻 resistor
电容 capacitor
示波器 oscilloscope
万用表 multimeter
逻辑分析仪 logic-analyzer
引导程序 引导加载程序 bootloader
烧录 烧写 flash
闪存 flash
时钟 clock
晶振 crystal-oscillator oscillator
总线 bus
引脚 管脚 pin
焊接 solder
原理图 schematic
电路板 pcb circuit-board
加速度计 accelerometer
陀螺仪 gyroscope gyro
滤波 filter
休眠 sleep
低功耗 low-power
上电 power-on power-up
电机 马达 motor
占空比 duty-cycle
链接器 linker
交叉编译 cross-compile
设备树 device-tree
电磁兼容 emc
终端电阻 terminator termination-resistor
半精度 fp16 half-precision
混合精度 mixed-precision
非数值 nan not-a-number
蒸馏 distillation
收敛 converge
发散 diverge
损失 loss
词表 vocabulary vocab
首字延迟 ttft time-to-first-token
多机 multi-node
多卡 multi-gpu
集合通信 collective-communication nccl
抢占 preempt
排队 queue
污染 contaminate pollute
数据增强 数据扩充 data-augmentation augmentation
偏好对齐 preference-alignment dpo rlhf
比特 bit
torch pytorch
着色器 shader
变体 variant
贴图 纹理 texture
粒子 particle
三角形 triangle
多边形 polygon
符号表 symbol-table
无响应 anr
刘海 刘海屏 notch
热更新 hot-update
内购 应用内购买 iap in-app-purchase
被拒 reject
断线重连 重连 reconnect
帧同步 lockstep
埋点 analytics event-tracking
渠道 channel
财年 财政年度 fiscal-year
毛利 毛利率 gross-margin gross-profit
成交额 gmv gross-merchandise-value
月结 关账 month-end-close month-end
计提 accrual
增值税 vat value-added-tax
同期群 cohort
问卷 survey questionnaire
看板 dashboard
超卖 oversell oversold
应收 receivable
应付 payable
慢 slow
快 fast quick
旧 old
灯 light lamp
锁 lock
表 table
堆 heap
栈 stack
库 database library
列 column
桶 bucket
帧 frame
钱 money
丢 lose drop
删 delete remove
改 change modify edit
读 read
写 write
崩 crash
装 install
测 test
`;
