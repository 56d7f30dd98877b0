package io.alrai.cn.variable;

/** Where the value of a status variable comes from. */
public enum StatusList {
  /** The CN has it. */
  OWN,

  /** The sum over the DNs. */
  SUM,

  /** The largest of the DNs, or the last text. */
  MAX
}
