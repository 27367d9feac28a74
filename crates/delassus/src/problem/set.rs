//! Numbers of a problem set in place, while its structure (elements, names, sizes) stays.

use super::{Contact, Friction, ImpactProblem, MassEntries, build, check_vector};
use crate::columns::Columns;
use crate::error::ImpactError;
use crate::small;

impl ImpactProblem {
    /// Replaces u⁻, keeping M's factor and G.
    ///
    /// # Errors
    /// Wrong length or non-finite entries; the old velocity stays.
    pub fn set_velocity(&mut self, u_minus: &[f64]) -> Result<(), ImpactError> {
        check_vector("velocity", u_minus, self.mass.size())?;
        self.u_minus.clear();
        self.u_minus.extend_from_slice(u_minus);
        self.update_gamma();
        Ok(())
    }

    /// Replaces M (row by row, n × n), W (one direction after the other, n
    /// entries each, m of them) and u⁻, keeping elements and buffers.
    ///
    /// # Errors
    /// Wrong sizes, non-finite entries, M not positive definite, a zero
    /// direction. After an error the configuration must be set again.
    pub fn set_configuration(&mut self, mass: &[f64], directions: &[f64], u_minus: &[f64]) -> Result<(), ImpactError> {
        self.replace(Some(MassEntries::Dense(mass)), Some(directions), None, u_minus)
    }

    /// As [`set_configuration`](Self::set_configuration), but what is `None` stays, and M may be diagonal.
    ///
    /// # Errors
    /// As there.
    pub fn configure(
        &mut self,
        mass: Option<MassEntries<'_>>,
        directions: Option<&[f64]>,
        u_minus: &[f64],
    ) -> Result<(), ImpactError> {
        self.replace(mass, directions, None, u_minus)
    }

    /// As [`configure`](Self::configure), with the velocity offsets χ of moving supports (m).
    ///
    /// # Errors
    /// As there; an offset that is not finite.
    pub fn set_numbers(
        &mut self,
        mass: Option<MassEntries<'_>>,
        directions: Option<&[f64]>,
        offset: Option<&[f64]>,
        u_minus: &[f64],
    ) -> Result<(), ImpactError> {
        self.replace(mass, directions, offset, u_minus)
    }

    /// Within its callers, as all here that batches go through for every impact: what is given is then known, and not
    /// passed through memory.
    #[inline(always)]
    fn replace(
        &mut self,
        mass: Option<MassEntries<'_>>,
        directions: Option<&[f64]>,
        offset: Option<&[f64]>,
        u_minus: &[f64],
    ) -> Result<(), ImpactError> {
        let (n, m) = (self.mass.size(), self.directions.len());
        if let Some(directions) = directions.filter(|directions| directions.len() != n * m) {
            let problem = format!("needs {m} directions of {n} entries");
            return Err(ImpactError::wrong_size("directions", format!("{} entries", directions.len()), problem));
        }
        self.set_others(mass, offset, u_minus)?;
        match (directions, self.directions.as_full_mut()) {
            (Some(directions), Some(values)) => small::copy(directions, values),
            (Some(directions), None) => {
                self.directions.clear();
                directions.chunks_exact(n).for_each(|w| self.directions.push_full(w));
            }
            (None, _) => {}
        }
        self.finish_numbers()
    }

    /// As [`set_numbers`](Self::set_numbers), with directions by their entries, as many as the problem has.
    pub(crate) fn set_rows(
        &mut self,
        mass: Option<MassEntries<'_>>,
        directions: &Columns,
        offset: &[f64],
        u_minus: &[f64],
    ) -> Result<(), ImpactError> {
        self.set_others(mass, Some(offset), u_minus)?;
        self.directions.copy(directions);
        self.finish_numbers()
    }

    /// Sets M, χ and u⁻.
    #[inline(always)]
    fn set_others(
        &mut self,
        mass: Option<MassEntries<'_>>,
        offset: Option<&[f64]>,
        u_minus: &[f64],
    ) -> Result<(), ImpactError> {
        let n = self.mass.size();
        if u_minus.len() != n {
            check_vector("velocity", u_minus, n)?;
        }
        match mass {
            Some(MassEntries::Dense(entries)) => self.mass.set_dense(entries)?,
            Some(MassEntries::Diagonal(entries)) => self.mass.set_diagonal(entries)?,
            Some(MassEntries::Blocks(entries)) => self.mass.set_blocks(entries)?,
            None => {}
        }
        if let Some(offset) = offset {
            self.take_offset(offset)?;
        }
        small::copy(u_minus, &mut self.u_minus);
        Ok(())
    }

    /// Assembles G and looks for numbers that are none.
    #[inline(always)]
    fn finish_numbers(&mut self) -> Result<(), ImpactError> {
        self.assemble(&mut |_| true);
        // T⁻ is finite iff u⁻ is, and G_ii is finite and positive iff its direction is finite and
        // not zero: bad entries need no pass of their own.
        let mut regular = self.energy_minus.is_finite();
        for i in 0..self.directions.len() {
            let diagonal = self.operator.get(i, i);
            regular &= (diagonal > 0.0) & (diagonal <= f64::MAX);
        }
        if regular { Ok(()) } else { Err(self.bad_configuration()) }
    }

    /// Checks and keeps χ.
    fn take_offset(&mut self, offset: &[f64]) -> Result<(), ImpactError> {
        let rows = self.offset.len();
        if offset.len() != rows {
            let problem = format!("needs {rows}, one per direction");
            return Err(ImpactError::wrong_size("offset", format!("{} entries", offset.len()), problem));
        }
        check_vector("offset", offset, rows)?;
        self.offset.copy_from_slice(offset);
        self.moving = offset.iter().any(|&chi| chi != 0.0);
        Ok(())
    }

    /// What is wrong with M, W and u⁻ that left an energy or an entry of G that is no positive number.
    #[cold]
    fn bad_configuration(&self) -> ImpactError {
        if let Err(error) = check_vector("velocity", &self.u_minus, self.mass.size()) {
            return error;
        }
        for j in 0..self.directions.len() {
            let w = self.directions.values(j);
            if !w.iter().all(|v| v.is_finite()) || w.iter().all(|&v| v == 0.0) {
                let field = format!("directions[{j}]");
                return ImpactError::not_finite(field, format!("{w:?}"), "must be finite and not zero");
            }
        }
        let unknown = || ImpactError::not_finite("mass, directions, velocity", "", "are beyond the range of numbers");
        build::check_range(self).err().unwrap_or_else(unknown)
    }

    /// Replaces the restitution coefficients of a contact.
    ///
    /// # Errors
    /// No such contact; a coefficient out of range.
    pub fn set_restitution(&mut self, contact: usize, normal: f64, tangential: f64) -> Result<(), ImpactError> {
        build::check_restitution(contact, normal, tangential)?;
        let target = contact_mut(&mut self.contacts, contact)?;
        target.restitution = normal;
        target.restitution_tangential = tangential;
        self.elements[target.element].restitution = normal;
        if !target.tangents.is_empty() {
            self.elements[target.element + 1].restitution = tangential;
        }
        Ok(())
    }

    /// Replaces the kinetic friction of a contact with tangents.
    ///
    /// # Errors
    /// No such contact, no tangent; a coefficient out of range.
    pub fn set_friction(&mut self, contact: usize, friction: Friction) -> Result<(), ImpactError> {
        let target = contact_mut(&mut self.contacts, contact)?;
        build::check_friction(contact, Some(friction), target.friction_static, target.tangents.len())?;
        let friction = friction.limited();
        target.friction = Some(friction);
        if !target.tangents.is_empty() {
            self.elements[target.element + 1].friction = friction.coefficients();
        }
        Ok(())
    }

    /// Replaces the velocity offsets χ of moving supports (m), keeping M's factor and G.
    ///
    /// # Errors
    /// Wrong length or non-finite entries; the old offsets stay.
    pub fn set_offset(&mut self, offset: &[f64]) -> Result<(), ImpactError> {
        self.take_offset(offset)?;
        self.update_gamma();
        Ok(())
    }

    /// Replaces the restitution coefficient of a clutch or joint, by its place in [`elements`](Self::elements).
    ///
    /// # Errors
    /// No such element, or one of a contact; a coefficient out of range.
    pub fn set_element_restitution(&mut self, element: usize, restitution: f64) -> Result<(), ImpactError> {
        let count = self.elements.len();
        let target = self.elements.get_mut(element).filter(|e| e.contact.is_none()).ok_or_else(|| {
            let problem = format!("needs a clutch or joint, and of the {count} elements this is none");
            ImpactError::new("element", element, problem)
        })?;
        build::check_element_restitution("element", restitution)?;
        target.restitution = restitution;
        Ok(())
    }
}

fn contact_mut(contacts: &mut [Contact], index: usize) -> Result<&mut Contact, ImpactError> {
    let count = contacts.len();
    contacts.get_mut(index).ok_or_else(|| ImpactError::new("contact", index, format!("there are {count} contacts")))
}
