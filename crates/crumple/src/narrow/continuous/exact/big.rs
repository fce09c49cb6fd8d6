//! Integers of any width, for exponents or depths that no fixed width holds.

use super::integer::{Full, Integer};
use crate::narrow::integer::Int;
use std::cmp::Ordering;

impl Integer for Int {
    type Numerator = Int;
    type Wider = Int;

    fn depth(_: u32) -> Result<(), Full> {
        Ok(())
    }

    fn numerator(k: u64) -> Int {
        Int::from_i128(k.into())
    }

    fn half(k: &Int, right: bool) -> Int {
        k.doubled().plus(&Int::numerator(u64::from(right)))
    }

    fn times_numerator(&self, k: &Int) -> Self {
        self.times(k)
    }

    fn widened(&self) -> Int {
        self.clone()
    }

    fn narrowed(wider: &Int) -> Result<Self, Full> {
        Ok(wider.clone())
    }

    fn from_i128(x: i128) -> Self {
        Int::from_i128(x)
    }

    fn room(_: u32) -> Result<(), Full> {
        Ok(())
    }

    fn plus(&self, other: &Self) -> Self {
        self.plus(other)
    }

    fn minus(&self, other: &Self) -> Self {
        self.minus(other)
    }

    fn times(&self, other: &Self) -> Self {
        self.times(other)
    }

    fn times_u64(&self, small: u64) -> Self {
        self.times(&Int::numerator(small))
    }

    fn shifted(&self, by: u32) -> Self {
        self.shifted(by)
    }

    fn sign(&self) -> i8 {
        self.sign()
    }

    fn bits(&self) -> u32 {
        self.bits()
    }

    fn approximate(&self, drop: u32) -> f64 {
        super::integer::approximate(self.limbs(), self.sign() < 0, drop)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}
