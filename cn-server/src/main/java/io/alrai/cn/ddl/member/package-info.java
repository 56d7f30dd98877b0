/**
 * Jobs that change who is in a DN's group, or how one of its members is
 * (docs/design/0078-members-that-come-and-go.md). In: a statement, or the notes of a job whose CN
 * is gone. Out: questions to the members' agents and what the catalog knows of them. On the job's
 * thread, which KILL and CANCEL DDL interrupt.
 */
@NullMarked
package io.alrai.cn.ddl.member;

import org.jspecify.annotations.NullMarked;
