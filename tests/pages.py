"""A small folder of runbooks: what most tests that need an index search in."""

from typing import Final

PAGES: Final = {
    "redis.md": """\
---
service: redis
owner: infra
type: instruction
trust: 5
tags: [cache, timeout]
last_updated: 2026-11-01
---

# Redis timeouts

Clients report `ERR max number of clients reached` or wait for a connection.

## Causes

* The pool is too small and every request waits for a connection.
* A slow command blocks the single thread.

## Fix

1. Look at the clients:

   ```
   redis-cli info clients
   ```

2. Raise `maxclients` if blocked_clients stays above 10.

## Verify

The timeouts are over when `redis-cli --latency` stays below 2 ms.

## Risks

Do not run `FLUSHALL`: it empties every database.
""",
    "mysql.md": """\
---
service: mysql
owner: dba
trust: 4
tags: [database, locks]
last_updated: 2026-10-01
---

# MySQL lock waits

Writers fail with `ERROR 1205 (HY000): Lock wait timeout exceeded`.

## Diagnosis

Find the transaction that holds the lock:

```sql
SELECT * FROM sys.innodb_lock_waits;
```

## Fix

Kill the blocking connection with `KILL 42;` and tell its owner.

## Roll back

Nothing was changed, so there is nothing to undo.
""",
    "queues/kafka.md": """\
# Kafka consumer lag

The alert KafkaConsumerLagHigh fires when a group falls behind its topic.

## First five minutes

Describe the group with `kafka-consumer-groups.sh --describe --group billing`.

## Escalation

Wake the streaming team if the lag still grows after ten minutes.
""",
    "policies/access-policy.md": """\
---
owner: security
type: policy
trust: 5
valid_from: 2026-01-01
valid_to: 2026-06-30
---

# Access policy

Production access needs two approvals. Never share a session.
""",
    "zh/disk.md": """\
---
service: linux
owner: infra
tags: [disk]
---

# 磁盘空间不足

告警 NodeDiskFull 触发,写入失败:No space left on device。

## 处理

1. 用 `df -h` 找到写满的分区。
2. 清理日志目录,不要删除正在写入的文件。

## 验证

`df -h` 的使用率低于 80%。
""",
    "postmortems/2026-05-outage.md": """\
# Post-mortem: redis failover during the May outage

The replica was promoted late, because the sentinel quorum was wrong.
""",
    "notes.txt": """\
Notes from the last handover.

The pager battery of the night shift is weak; bring a spare one.
""",
}
"""Text by relative path."""
